import ChoirTesting
import DSP
import Testing
import TwoTaps

/// The shifter against the baseline beside this file. One voice and one interval take seconds; without
/// these arguments there are three of each.
@Suite struct TwoTapQualityTests {
  @Test func theShifterKeepsItsQuality() async throws {
    try await expectNoRegression(
      of: "two-taps", semitones: [4], voices: ["vowel-i-alto"]
    ) { voice, semitones in
      var shifter = TwoTapShifter(
        semitones: semitones, windowMs: 40, sampleRateHz: voice.sampleRateHz)
      return Signal(shifter.render(voice.samples), sampleRateHz: voice.sampleRateHz)
    }
  }
}
