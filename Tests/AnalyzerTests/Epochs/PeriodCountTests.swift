import Testing

@testable import Analyzer

@Suite struct PeriodCountTests {
  /// A glide from 100 to 200 Hz in one second: in t seconds 100 t + 50 t² periods pass.
  private let glide = PitchTrack(
    hopSeconds: 0.01, f0Hz: (0...100).map { 100 + Double($0) }, voicing: (0...100).map { _ in 1 })

  @Test(arguments: [0, 0.005, 0.123, 0.5, 1]) func aGlideIsCounted(seconds: Double) {
    let count = PeriodCount(glide, frames: 0..<101)
    let periods = 100 * seconds + 50 * seconds * seconds
    #expect(abs(count.periods(atSeconds: seconds) - periods) < 1e-9)
    #expect(abs(count.seconds(atPeriods: periods) - seconds) < 1e-9)
    #expect(abs(count.hz(atSeconds: seconds) - (100 + 100 * seconds)) < 1e-9)
  }

  /// The pitch is constant before the first frame and after the last.
  @Test func thePitchIsConstantBeyondItsFrames() {
    let count = PeriodCount(glide, frames: 20..<41)  // 120 Hz at 0.2 s, 140 at 0.4
    #expect(abs(count.periods(atSeconds: 0.15) + 6) < 1e-9)
    #expect(abs(count.seconds(atPeriods: -6) - 0.15) < 1e-9)
    #expect(abs(count.periods(atSeconds: 0.5) - (26 + 14)) < 1e-9)
    #expect(abs(count.seconds(atPeriods: 40) - 0.5) < 1e-9)
  }
}
