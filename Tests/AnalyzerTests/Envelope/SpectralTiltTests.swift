import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct SpectralTiltTests {
  private func frames(_ voice: TubeVoice) -> [HarmonicLevels] {
    let signal = voice.signal()
    let sampler = HarmonicSampler(of: signal, ceilingHz: 6000)
    return [0.2, 0.3, 0.4].compactMap { sampler.levels(atSeconds: $0, expectedHz: voice.f0Hz) }
  }

  /// The slope of a known filter is measured, at low and high pitch.
  @Test(arguments: [1.0, 2, 3, 6, -3], [120.0, 400])
  func theSlopeOfAFilterIsMeasured(dbPerOctave: Double, f0Hz: Double) throws {
    var voice = TubeVoice()
    (voice.f0Hz, voice.vibratoCents) = (f0Hz, 0)
    var tilted = voice
    tilted.tiltDbPerOctave = dbPerOctave
    let before = try #require(SpectralTilt(of: frames(voice)))
    let after = try #require(SpectralTilt(of: frames(tilted)))
    // The filter is exact at every harmonic; only single-precision samples add an error.
    #expect(abs(after.dbPerOctave - before.dbPerOctave - dbPerOctave) < 0.02)
  }

  /// Levels that fall by 10 dB per octave give that slope, at any loudness of a frame.
  @Test func framesOfAnyLoudnessShareOneSlope() throws {
    let frames = [0.0, -30].map { gain in
      HarmonicLevels(
        timeSeconds: 0, f0Hz: 200, levelsDb: (1...20).map { gain - 10 * log2(Double($0)) },
        noiseDb: Array(repeating: -200, count: 20))
    }
    let tilt = try #require(SpectralTilt(of: frames))
    #expect(abs(tilt.dbPerOctave + 10) < 1e-9)
  }

  @Test func harmonicsUnderNoiseDoNotCount() throws {
    let levels = (1...20).map { max(-10 * log2(Double($0)), -30) }
    let frame = HarmonicLevels(
      timeSeconds: 0, f0Hz: 200, levelsDb: levels, noiseDb: Array(repeating: -31, count: 20))
    let tilt = try #require(SpectralTilt(of: [frame]))
    #expect(abs(tilt.dbPerOctave + 10) < 1e-9)
    let buried = HarmonicLevels(
      timeSeconds: 0, f0Hz: 200, levelsDb: levels, noiseDb: Array(repeating: 0, count: 20))
    #expect(SpectralTilt(of: [buried]) == nil)
    #expect(SpectralTilt(of: []) == nil)
  }
}
