import Testing

@testable import Gate

@Suite struct RecordingTakesTests {
  private func areWorse(
    _ baseline: [Double], _ candidate: [Double], by amount: Double = 0.5
  ) -> Bool {
    var takes = RecordingTakes()
    takes.add(
      baseline: baseline, candidate: candidate, changes: zip(candidate, baseline).map { $0 - $1 })
    return takes.areWorse(by: amount)
  }

  /// The medians of 1 and 2 events lie apart, the takes do not.
  @Test func clustersThatOverlapAreNotWorse() {
    #expect(!areWorse([1, 1, 1, 2, 2], [1, 1, 2, 2, 2]))
    #expect(
      !areWorse(
        Array(repeating: 0, count: 7) + Array(repeating: 1, count: 6),
        Array(repeating: 0, count: 6) + Array(repeating: 1, count: 7)))
  }

  /// Five takes on each side must lie apart entirely; of the 252 orders one does.
  @Test func fewTakesMustLieApart() {
    #expect(areWorse([1, 2, 3, 2, 1], [4, 5, 6, 5, 4]))
    #expect(!areWorse([1, 2, 5, 2, 1], [6, 4, 6, 1, 6]))
    #expect(!areWorse([4, 5, 6, 5, 4], [1, 2, 3, 2, 1]))
  }

  /// Takes that lie apart by 1 are not worse by 2.
  @Test func theyMustLieApartByTheAmount() {
    #expect(areWorse([1, 2, 3, 2, 1], [4, 5, 6, 5, 4], by: 0.9))
    #expect(!areWorse([1, 2, 3, 2, 1], [4, 5, 6, 5, 4], by: 4))
  }

  /// Inaudible changes that move both sides alike hide nothing: each take is worse than its own.
  @Test func takesAreComparedUnderTheSameChange() {
    #expect(areWorse([10, 0, 20, 5, 15], [11, 1, 21, 6, 16]))
    #expect(!areWorse([10, 0, 20, 5, 15], [11, 1, 21, 6, 14]))
  }

  /// Many takes may overlap a little: one of 13 in the other's range has a probability of 1e-6.
  @Test func manyTakesMayOverlap() {
    let low = (0..<13).map(Double.init)
    #expect(areWorse(low, low.map { $0 + 11.5 }))
    #expect(!areWorse(low, low.map { 16 - $0 }))
  }
}
