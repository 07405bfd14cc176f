import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

/// The truth is the formants of the synthesized vowels.
@Suite struct FormantReaderTests {
  private static func formants(of signal: Signal) throws -> [Double?] {
    let pitch = try PitchTracker().track(signal)
    let track = FormantReader().track(signal, following: pitch)
    #expect(track.count == pitch.count)
    return (1...3).map { number in
      track.medianHz(ofFormant: number) { (40..<80).contains($0) }
    }
  }

  /// Formants are the means of Peterson and Barney's men, women and children. Every error is within
  /// its tolerance, so no false formant may shift F2 or F3. Praat's Burg method errs by 3 to 9 % in
  /// F1 of such vowels. A man's /i/ has F1 between the second and third harmonic, on the slope of a
  /// pulse unlike the model's; half the distance of the harmonics would be 22 %.
  @Test(arguments: [
    (120.0, [270.0, 2290, 3010, 3600, 4400], 0.15), (130, [730, 1090, 2440, 3500, 4500], 0.05),
    (230, [610, 2330, 2990, 4000, 5100], 0.10), (235, [850, 1220, 2810, 4000, 5100], 0.10),
    (270, [370, 3200, 3730, 4900, 6400], 0.15), (260, [690, 2610, 3570, 4900, 6400], 0.15),
    (310, [530, 2730, 3600, 4900, 6400], 0.15), (450, [860, 2050, 2850, 4000, 5100], 0.25),
  ])
  func formantsOfMenWomenAndChildrenAreFound(
    f0Hz: Double, truth: [Double], ofF1: Double
  ) throws {
    let found = try Self.formants(of: TubeVowel.signal(f0Hz: f0Hz, formantsHz: truth))
    for (index, tolerance) in [ofF1, 0.04, 0.04].enumerated() {
      let hz = try #require(found[index])
      #expect(abs(hz / truth[index] - 1) < tolerance, "F\(index + 1) \(hz) at \(f0Hz) Hz")
    }
  }

  /// Unvoiced sound has the formants of linear prediction.
  @Test func whisperHasFormantsToo() throws {
    var random = SeededGenerator(seed: 9)
    var voice = (0..<12_000).map { _ in random.uniform() - 0.5 }
    for (hz, width) in [(730.0, 90.0), (1090, 110), (2440, 160), (3500, 250)] {
      let radius = exp(-.pi * width / 24_000)
      let a1 = 2 * radius * cos(2 * .pi * hz / 24_000)
      var (before, twoBefore) = (0.0, 0.0)
      for n in voice.indices {
        let next = voice[n] + a1 * before - radius * radius * twoBefore
        (twoBefore, before) = (before, next)
        voice[n] = next
      }
    }
    let peak = voice.map { abs($0) }.max()!
    let signal = Signal(voice.map { Float(0.3 * $0 / peak) }, sampleRateHz: 24_000)
    let silent = PitchTrack(
      hopSeconds: 0.005, f0Hz: Array(repeating: 0, count: 101),
      voicing: Array(repeating: 0, count: 101))
    let track = FormantReader().track(signal, following: silent)
    #expect(track == FormantTracker().track(signal.withoutInfrasound()))
    #expect(track.medianHz(ofFormant: 1) != nil)
  }
}
