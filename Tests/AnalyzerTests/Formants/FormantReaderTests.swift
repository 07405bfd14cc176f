import Analyzer
import DSP
import Foundation
import Statistics
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
  func formantsOfMenWomenAndChildrenAreFound(f0Hz: Double, truth: [Double], ofF1: Double) throws {
    let found = try Self.formants(of: TubeVowel.signal(f0Hz: f0Hz, formantsHz: truth))
    for (index, tolerance) in [ofF1, 0.04, 0.04].enumerated() {
      let hz = try #require(found[index])
      #expect(abs(hz / truth[index] - 1) < tolerance, "F\(index + 1) \(hz) at \(f0Hz) Hz")
    }
  }

  /// F1 to F5 of vowels held for 160 ms, and 40 or 120 ms between them along a half cosine.
  private static func spoken(_ vowels: [[Double]], glideSeconds: Double) -> (Double) -> [Double] {
    { seconds in
      var hz = vowels[0]
      for (index, next) in vowels.enumerated().dropFirst() {
        let start = Double(index) * 0.16 + Double(index - 1) * glideSeconds
        let share = 0.5 - 0.5 * cos(.pi * min(1, max(0, (seconds - start) / glideSeconds)))
        hz = zip(zip(hz, vowels[index - 1]), next).map { $0.0 * pow($1 / $0.1, share) }
      }
      return hz
    }
  }

  /// The truth is the frequency of the moving resonator. A vowel that changes within 40 ms goes from
  /// 10 to 90 % within 23.6 ms.
  @Test(arguments: [100.0, 150, 220, 300]) func aMovingMouthIsFollowed(f0Hz: Double) throws {
    let vowels = [[550.0, 1000, 2800, 3900, 4900], [480.0, 2000, 2900, 3900, 4900]]
    let truth = Self.spoken([vowels[0], vowels[1], vowels[0], vowels[1]], glideSeconds: 0.04)
    let voice = ResonatorVoice.signal(f0Hz: f0Hz, seconds: 0.76, formantsHz: truth)
    let track = FormantReader().track(voice, following: try PitchTracker().track(voice))
    let errors = (20..<140).map { frame in
      let hz = truth(Double(frame) * track.hopSeconds)[1]
      return track.frames[frame].f2.map { abs($0.frequencyHz / hz - 1) } ?? 1
    }
    #expect(Statistics.mean(errors)! < 0.02)
    let risesMs = [0.16, 0.36, 0.56].map { start in
      stride(from: start - 0.04, through: start + 0.08, by: 0.001).count { seconds in
        let place = seconds / track.hopSeconds
        let (a, b) = (track.frames[Int(place)].f2!, track.frames[Int(place) + 1].f2!)
        let hz = a.frequencyHz + (place - place.rounded(.down)) * (b.frequencyHz - a.frequencyHz)
        return 0.1...0.9 ~= log2(hz / 1000)
      }
    }
    // A voice of 100 Hz shows its formants once in 10 ms.
    #expect(17...31 ~= risesMs.sorted()[1], "\(risesMs) ms")
  }

  /// A fit of one vowel does not lead those of the next vowels astray.
  @Test func eachVowelIsFitted() throws {
    // Resonances go on above F3 as in a tube.
    let above = stride(from: 4130.0, to: 11_000, by: 1180)
    let vowels = [
      [608.0, 1842, 2802], [851, 1370, 2804], [380, 2554, 3298], [745, 1938, 2777],
    ].map { $0 + above }
    for f0Hz in [135.0, 180, 240, 290] {
      let voice = ResonatorVoice.signal(
        f0Hz: f0Hz, rateHz: 24_000, seconds: 1,
        formantsHz: Self.spoken(vowels, glideSeconds: 0.12))
      let track = FormantReader().track(voice, following: try PitchTracker().track(voice))
      for (index, truth) in vowels.enumerated() {
        let middle = Int((0.08 + 0.28 * Double(index)) / track.hopSeconds)
        for number in 1...3 {
          let hz = try #require(
            track.medianHz(ofFormant: number) { (middle - 8...middle + 8).contains($0) })
          #expect(abs(hz / truth[number - 1] - 1) < 0.16, "F\(number) of \(index) at \(f0Hz) Hz")
        }
      }
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
    let silent = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 0, count: 101))
    let track = FormantReader().track(signal, following: silent)
    #expect(track == FormantTracker().track(signal.withoutInfrasound()))
    #expect(track.medianHz(ofFormant: 1) != nil)
  }
}
