import Testing

@testable import Analyzer

@Suite struct PitchPathTests {
  private func frame(_ candidates: (hz: Double, correlation: Double)..., peak: Double = 1)
    -> PitchFrame
  {
    PitchFrame(
      candidates: candidates.map { .init(f0Hz: $0.hz, correlation: $0.correlation) },
      relativePeak: peak)
  }

  /// One frame likes the octave better by 0.05 and its bonus of 0.01; jumping there and back
  /// within 5 ms each costs 2 * 0.35 * 2.
  @Test func aStrayOctaveIsPassedOver() {
    let steady = frame((100, 0.9), (200, 0.6))
    let stray = frame((200, 0.95), (100, 0.9))
    let path = PitchPath(.init()).cheapest(through: [steady, steady, stray, steady, steady])
    #expect(path == [100, 100, 100, 100, 100])
  }

  @Test func anOctaveThatStaysIsFollowed() {
    let low = frame((100, 0.9))
    let high = frame((200, 0.95), (100, 0.5))
    let path = PitchPath(.init()).cheapest(through: [low, low] + Array(repeating: high, count: 8))
    #expect(path == [100, 100] + Array(repeating: 200, count: 8))
  }

  @Test func quietOrAperiodicFramesHaveNoVoice() {
    let quiet = frame((100, 0.9), peak: 0.001)
    let noisy = frame((100, 0.3))
    #expect(PitchPath(.init()).cheapest(through: [quiet, quiet, noisy]) == [0, 0, 0])
    #expect(PitchPath(.init()).cheapest(through: []) == [])
  }
}
