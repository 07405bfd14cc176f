import Testing

@testable import Analyzer

@Suite struct PitchPathTests {
  private func frame(_ candidates: (hz: Double, correlation: Double)...) -> PitchFrame {
    PitchFrame(
      candidates: candidates.map {
        .init(
          f0Hz: $0.hz, correlation: $0.correlation, nearCorrelation: $0.correlation, persistence: 1)
      }, power: 1)
  }

  private func path(_ frames: [PitchFrame]) -> [Double?] {
    let chosen = PitchPath(.init()).chosen(from: frames, hopSeconds: 0.010)
    return zip(frames, chosen).map { frame, choice in choice.map { frame.candidates[$0].f0Hz } }
  }

  /// One frame likes the octave better by 0.05 and its bonus of 0.02; jumping there and back costs
  /// 0.5 each.
  @Test func aStrayOctaveIsPassedOver() {
    let steady = frame((100, 0.9), (200, 0.6))
    let stray = frame((200, 0.95), (100, 0.9))
    #expect(path([steady, steady, stray, steady, steady]) == [100, 100, 100, 100, 100])
  }

  @Test func anOctaveThatStaysIsFollowed() {
    let low = frame((100, 0.9))
    let high = frame((200, 0.95), (100, 0.5))
    #expect(
      path([low, low] + Array(repeating: high, count: 8))
        == [100, 100] + Array(repeating: 200, count: 8))
  }

  @Test func framesWithoutCandidatesAreGaps() {
    #expect(path([]) == [])
    #expect(path([frame(), frame()]) == [nil, nil])
    #expect(path([frame((100, 0.9)), frame(), frame((150, 0.9))]) == [100, nil, 150])
  }
}
