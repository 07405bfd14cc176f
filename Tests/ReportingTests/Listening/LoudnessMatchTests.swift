import AudioFile
import DSP
import Foundation
import Testing

@testable import Reporting

@Suite struct LoudnessMatchTests {
  private func level(_ loudnessLufs: Double?, peak truePeakDbtp: Double?) -> SoundLevel {
    SoundLevel(loudnessLufs: loudnessLufs, truePeakDbtp: truePeakDbtp)
  }

  @Test func allSoundsOfAClipBecomeAsLoudAsIsUsual() {
    let match = LoudnessMatch([level(-20, peak: -8), level(-26, peak: -12), level(-15, peak: -3)])
    #expect(match.targetLufs == -18)
    #expect(match.gainsDb == [2, 8, -3])
  }

  /// The second sound would reach +2 dBTP at -18 LUFS, so all are 3 dB softer.
  @Test func noneClips() {
    let match = LoudnessMatch([level(-20, peak: -8), level(-30, peak: -10)])
    #expect(match.targetLufs == -21)
    #expect(match.gainsDb == [-1, 9])
  }

  @Test func silenceStaysAsItIs() {
    let match = LoudnessMatch([level(nil, peak: nil), level(-20, peak: -8)])
    #expect(match.gainsDb == [nil, 2])
    #expect(LoudnessMatch([level(nil, peak: -3)]) == LoudnessMatch([level(nil, peak: -60)]))
    #expect(LoudnessMatch([]).targetLufs == nil)
  }

  /// BS.1770 defines a full-scale sine of 997 Hz in one channel as -3.01 LUFS.
  @Test func levelsAreThoseOfTheStandard() throws {
    let samples = (0..<96_000).map { Float(0.1 * sin(2 * .pi * 997 * Double($0) / 48_000)) }
    let file = AudioFile(Signal(samples, sampleRateHz: 48_000))
    let level = SoundLevel(of: file)
    // The standard allows meters 0.1 LU.
    #expect(abs(try #require(level.loudnessLufs) - -23.01) < 0.1)
    // Its interpolator reads sines below a quarter of the rate within +0.2 and -0.4 dB.
    #expect((-20.4 ... -19.8).contains(try #require(level.truePeakDbtp)))

    // Two such channels have twice the power.
    let stereo = SoundLevel(of: AudioFile(channels: [samples, samples], sampleRateHz: 48_000))
    #expect(abs(try #require(stereo.loudnessLufs) - -20) < 0.1)
  }

  @Test func silenceHasNoLevel() {
    let silence = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    #expect(SoundLevel(of: AudioFile(silence)) == .unknown)
  }
}
