import Analyzer
import DSP
import Testing

@testable import Harmonizer

/// The formula for the tremolo depth, against its integral and against the engine.
@Suite struct DelayLineTremoloTests {
  private func law(_ share: Double, semitones: Double = 4) -> DelayLineLaw {
    let settings = DelayLineShifter.Settings { ($0.windowMs, $0.crossfadeMs) = (40, 40 * share) }
    return DelayLineLaw(shiftSemitones: semitones, settings: settings, sampleRateHz: 48_000)
  }

  /// Values of the same integral over time from SciPy's `quad`: 4 |∫ 10 log10(1 - 2 g (1 - g))
  /// exp(2πit) dt| with `g = t / share` within the crossfade, 1 after it.
  @Test(arguments: [
    (0.05, 0.371954089), (0.125, 0.918820547), (0.25, 1.760196292), (0.5, 2.948337229),
  ])
  func theTremoloDepthIsTheIntegral(share: Double, depthDb: Double) {
    #expect(abs(law(share).tremoloDepthDb - depthDb) < 1e-4)
  }

  @Test func aShiftOfZeroHasNoTremolo() {
    #expect(law(0.25, semitones: 0).tremoloDepthDb == 0)
  }

  /// Noise approximates the law's infinite number of partials. In 30 s there are at least 195
  /// sweeps, each with some 2 dB of noise: 0.15 dB in the mean, so 0.5 dB is more than three
  /// deviations.
  @Test(arguments: [(4.0, 0.5), (4, 0.25), (-5, 0.5), (7, 0.25)])
  func theEngineSwingsAsTheLawSays(semitones: Double, share: Double) throws {
    let settings = DelayLineShifter.Settings { ($0.windowMs, $0.crossfadeMs) = (40, 40 * share) }
    let law = law(share, semitones: semitones)
    var shifter = try DelayLineShifter(shiftSemitones: semitones, settings, sampleRateHz: 48_000)
    let output = shifter.render(noise(count: 30 * 48_000))
    let found = try Tremolo(of: Signal(output, sampleRateHz: 48_000), rateHz: law.sweepRateHz)
    #expect(abs(found.depthDb - law.tremoloDepthDb) < 0.5)
  }
}
