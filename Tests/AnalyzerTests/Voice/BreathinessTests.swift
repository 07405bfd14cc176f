import Analyzer
import DSP
import Foundation
import Singer
import Testing

@Suite struct BreathinessTests {
  /// The singer's own breath in steps of 6 dB: each step of more breath lowers the ratios.
  @Test func moreBreathLowersTheRatios() throws {
    let doses = [-60.0, -36, -30, -24, -18, -12]
    let (band, prominence, whole) = try doses.reduce(into: ([Double](), [Double](), [Double]())) {
      let sung = try Self.sung(aspirationDb: $1)
      let track = try PitchTracker().track(sung)
      $0.0.append(try #require(VoiceQuality(of: sung, following: track).bandHarmonicityDb))
      $0.1.append(try #require(CepstralProminence(of: sung, .speech).meanDecibels))
      $0.2.append(try #require(Harmonicity(of: sung).meanDecibels))
    }
    for values in [band, prominence, whole] {
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 > $1 }, "\(values)")
    }
    // Breath affects the upper band first.
    #expect(band[0] - band[3] > whole[0] - whole[3])
  }

  /// White noise under a tone with a falling spectrum: the ratio in the band follows from their
  /// sums.
  @Test func theRatioIsThatOfTheBand() throws {
    let tone = QualityVoice.noisyTone(f0Hz: 200, hnrDb: 20)
    let track = QualityVoice.steadyTrack(f0Hz: 200, to: 1)
    let found = try #require(VoiceQuality(of: tone, following: track).bandHarmonicityDb)
    func power(_ harmonics: ClosedRange<Int>) -> Double {
      harmonics.reduce(0) { $0 + 1 / Double($1 * $1) }
    }
    // The band covers about 2000 to 7600 Hz of 22 050 Hz of noise.
    let noise = power(1...40) / 100 * 5600 / 22_050
    let expected = 10 * log10(power(11...37) / noise)
    // The band's edges are not sharp: a harmonic at half power at either end is 0.6 dB.
    #expect(abs(found - expected) < 1)
  }

  @Test func soundsWithoutTheBandHaveNoResult() throws {
    let track = QualityVoice.steadyTrack(f0Hz: 200, to: 1)
    let slow = Signal([Float](repeating: 0, count: 8000), sampleRateHz: 8000)
    #expect(try VoiceQuality(of: slow, following: track).bandHarmonicityDb == nil)
    let silence = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    #expect(try VoiceQuality(of: silence, following: track).bandHarmonicityDb == nil)
  }

  private static func sung(aspirationDb: Double) throws -> Signal {
    var voice = Voice.alto
    voice.phonation = Phonation(
      aspirationDb: aspirationDb, jitterPercent: 0.1, shimmerPercent: 0.5, flutterCents: 0)
    var phrase = Phrase(voice: voice, beatsPerMinute: 60)
    phrase.sing(semitones: 57, beats: 0.8, "a") { _ in }
    return try phrase.performance(seed: 3).render(sampleRateHz: 44_100).signal
  }
}
