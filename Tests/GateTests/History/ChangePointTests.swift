import Testing

@testable import Gate

@Suite struct ChangePointTests {
  /// Normal noise, the same each time.
  private struct Noise {
    var state: UInt64

    mutating func next() -> Double {
      var sum = 0.0
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum += Double(state >> 11) / Double(1 << 53)
      }
      return sum - 6  // the sum of twelve uniform numbers is nearly normal
    }
  }

  private func noise(_ count: Int, seed: UInt64) -> [Double] {
    var noise = Noise(state: seed)
    return (0..<count).map { _ in noise.next() }
  }

  @Test func aStepInNoiseIsFound() {
    var values = noise(60, seed: 3)
    for index in 40..<60 { values[index] += 4 }
    let found = ChangePointTest().changes(in: values, figures: 20, minimumEffect: 1)
    #expect(found.count == 1)
    // Four deviations: at most one commit beside it.
    #expect(found.allSatisfy { abs($0.index - 40) <= 1 && abs($0.after - $0.before - 4) < 1 })
  }

  @Test func twoStepsAreFound() {
    var values = noise(90, seed: 11)
    for index in 30..<60 { values[index] += 5 }
    let found = ChangePointTest().changes(in: values, figures: 20, minimumEffect: 1)
    #expect(found.map(\.index) == [30, 60])
  }

  /// 40 histories of 50 commits with 5 figures expect 10 false points at most; heavy tails too.
  @Test func falseAlarmsKeepTheirRate() {
    let test = ChangePointTest()
    var alarms = 0
    for history in 0..<40 {
      for figure in 0..<5 {
        let values = noise(50, seed: UInt64(1000 * history + figure))
        let tails = figure % 2 == 0 ? values : values.map { $0 * $0 * $0 }
        alarms += test.changes(in: tails, figures: 5).count
      }
    }
    // Expected 0.005 · 50 · 40 = 10; a Poisson variable exceeds 20 once in 600 times.
    #expect(alarms <= 20)
    // The level is used: none at all would be as unlikely as 1 in 20 000.
    #expect(alarms >= 1)
  }

  @Test func aFigureWithoutNoiseChangesAtEachConfirmedStep() {
    let test = ChangePointTest()
    let steps = test.changes(in: [1, 1, 1, 2, 2, 1.5, 1.5], figures: 1000)
    #expect(
      steps == [
        ChangePoint(index: 3, before: 1, after: 2), ChangePoint(index: 5, before: 2, after: 1.5),
      ])
    #expect(test.changes(in: [1, 1, 1, 1, 2], figures: 1).isEmpty)
    #expect(test.changes(in: [1, 1, 1, 1, 1], figures: 1).isEmpty)
    // A single event is no step.
    #expect(test.changes(in: [0, 0, 0, 1, 0, 0, 0], figures: 1).isEmpty)
    #expect(
      test.changes(in: [], figures: 1).isEmpty && test.changes(in: [1, 2], figures: 1).isEmpty)
  }

  @Test func aChangeBelowTheMinimumEffectIsNone() {
    let values = [1, 1, 1, 1.2, 1.2, 1.2, 3, 3.0]
    let found = ChangePointTest().changes(in: values, figures: 1, minimumEffect: 0.5)
    #expect(found == [ChangePoint(index: 6, before: 1.1, after: 3)])
  }

  /// A step of 5 cents at the sixth of ten commits, and one that only the last two have. The noise of
  /// 0.5 cents is six times that of a recording's pitch error in the shipped gates' noise files.
  @Test(arguments: [5, 8]) func aStepOfFiveCentsIsFoundInTenCommits(place: Int) {
    for seed in 1...20 {
      var values = noise(10, seed: UInt64(seed)).map { 3 + 0.5 * $0 }
      for index in place..<10 { values[index] += 5 }
      let found = ChangePointTest().changes(in: values, figures: 20, minimumEffect: 1)
      #expect(found.map(\.index) == [place], "seed \(seed)")
    }
  }

  /// Eight commits by hand: those of deviation 1 and two new ones have 8 degrees of freedom and 7 places. The
  /// level is 0.05 of ten commits, 0.05 / 7 / 2 on each side: t = 3.58, and 0.89 for 80 %. The error is
  /// √(1/8 + 1/2) = 0.79, so 3.54 is found by two. The others are by scipy.stats.t.
  @Test(arguments: [(3.6, 2), (3.5, 3), (1.7, 33), (0.01, nil)])
  func theCommitsNeededFollowFromTheNoise(size: Double, needed: Int?) {
    // A deviation of 1: seven degrees of freedom.
    let side = (7.0 / 8).squareRoot()
    let level = (0..<8).map { $0 % 2 == 0 ? side : -side }
    var test = ChangePointTest()
    test.falseAlarmsPerCommit = 0.05
    #expect(test.commitsNeeded(after: level, figures: 1, size: size) == needed)
    #expect(test.commitsNeeded(after: [1], figures: 1, size: 1) == nil)
    #expect(test.commitsNeeded(after: [1, 1, 1], figures: 1, size: 1) == 2)
  }
}
