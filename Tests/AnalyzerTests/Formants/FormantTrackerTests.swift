import Analyzer
import DSP
import Foundation
import Statistics
import TestSupport
import Testing

@Suite struct FormantTrackerTests {
  /// F1 to F5 of sung vowels.
  private static let vowels: [String: [Double]] = [
    "a": [730, 1090, 2440, 3300, 4200], "e": [530, 1840, 2480, 3400, 4300],
    "i": [300, 2200, 2900, 3600, 4400], "o": [500, 900, 2500, 3300, 4200],
    "u": [320, 850, 2300, 3200, 4100],
  ]

  @Test(arguments: ["a", "e", "i", "o", "u"], [98.0, 131, 175, 220])
  func vowelsAreFound(vowel: String, f0Hz: Double) throws {
    let truth = Self.vowels[vowel]!
    let track = FormantTracker().track(ResonatorVoice.signal(f0Hz: f0Hz) { _ in truth })
    for number in 1...4 {
      let found = try #require(track.medianHz(ofFormant: number) { 20...60 ~= $0 })
      let hz = truth[number - 1]
      // Below 1.5 times the pitch a single harmonic determines the formant.
      let tolerance = hz < 1.5 * f0Hz ? 0.08 : 0.05
      #expect(abs(found / hz - 1) < tolerance, "F\(number) of \(vowel): \(found), not \(hz)")
    }
  }

  /// F2 of a woman's i lies as near to the place of F3 in a straight tube as to its own.
  @Test(arguments: [140.0, 165, 200, 240]) func theSecondFormantIsNotMissed(f0Hz: Double) throws {
    let truth = [350.0, 2780, 3480, 4300, 5600]
    let track = FormantTracker().track(ResonatorVoice.signal(f0Hz: f0Hz) { _ in truth })
    let found = try #require(track.medianHz(ofFormant: 2) { 20...60 ~= $0 })
    #expect(abs(found / truth[1] - 1) < 0.03)
  }

  @Test(arguments: [16_000.0, 44_100, 96_000]) func anySampleRateWorks(rateHz: Double) throws {
    let truth = Self.vowels["e"]!
    let voice = ResonatorVoice.signal(f0Hz: 110, rateHz: rateHz) { _ in truth }
    let track = FormantTracker().track(voice)
    #expect(track.count == 81)  // every 5 ms from 0 to 0.4 s
    for number in 1...4 {
      let found = try #require(track.medianHz(ofFormant: number) { 20...60 ~= $0 })
      #expect(abs(found / truth[number - 1] - 1) < 0.05)
    }
  }

  /// F2 of the i crosses the former F3 of the a, and each formant keeps its number.
  @Test func glidesAreFollowed() throws {
    let (from, to) = (Self.vowels["a"]!, Self.vowels["i"]!)
    func truth(_ seconds: Double) -> [Double] {
      zip(from, to).map { $0 + ($1 - $0) * min(1, max(0, seconds - 0.2) / 0.5) }
    }
    let track = FormantTracker().track(
      ResonatorVoice.signal(f0Hz: 120, seconds: 0.9, formantsHz: truth))
    for number in 1...4 {
      let errors = (10..<170).map { frame in
        let hz = truth(Double(frame) * track.hopSeconds)[number - 1]
        return track.frames[frame][number].map { abs($0.frequencyHz / hz - 1) } ?? 1
      }
      #expect(Statistics.median(errors)! < 0.03)
      // A wrong number would be an error of 20 % or more.
      #expect(errors.max()! < 0.15, "F\(number)")
    }
  }

  /// Formants shifted by a ratio, as in a voice played faster, are measured shifted by it.
  @Test(arguments: [0.9, 0.95, 1.05, 1.1]) func shiftsAreMeasured(ratio: Double) throws {
    let truth = Self.vowels["a"]!
    let plain = FormantTracker().track(ResonatorVoice.signal(f0Hz: 110) { _ in truth })
    let shifted = FormantTracker().track(
      ResonatorVoice.signal(f0Hz: 110) { _ in truth.map { $0 * ratio } })
    for number in 1...3 {
      let before = try #require(plain.medianHz(ofFormant: number) { 20...60 ~= $0 })
      let after = try #require(shifted.medianHz(ofFormant: number) { 20...60 ~= $0 })
      // The tolerance of 2 % is the remaining attraction of the harmonics at low pitch.
      #expect(abs(after / before / ratio - 1) < 0.02)
    }
  }

  @Test func levelDoesNotMatter() throws {
    let truth = Self.vowels["o"]!
    let voice = ResonatorVoice.signal(f0Hz: 150) { _ in truth }
    // Scaling by a power of two is exact.
    let quiet = Signal(voice.samples.map { $0 / 1024 }, sampleRateHz: 48_000)
    #expect(FormantTracker().track(voice) == FormantTracker().track(quiet))
  }

  @Test func silenceHasNoFormants() throws {
    let tracker = FormantTracker()
    #expect(tracker.track(Signal([], sampleRateHz: 48_000)).count == 0)
    let silent = tracker.track(Signal(Array(repeating: 0, count: 4800), sampleRateHz: 48_000))
    #expect(silent.frames == Array(repeating: .init(), count: 21))
    let truth = Self.vowels["a"]!
    let late =
      Array(repeating: Float(0), count: 9600)
      + ResonatorVoice.signal(f0Hz: 110) { _ in truth }.samples
    let track = tracker.track(Signal(late, sampleRateHz: 48_000))
    // The window reaches 20 ms from its centre, and the resampler's filter 6 ms.
    #expect(track.frames[..<33].allSatisfy { $0 == .init() })
    #expect(track.frames[45].f1 != nil)
  }

  @Test func allFormantsAreFinite() {
    let noise = Signal.noise(count: 9600, seed: 3).samples
    let wild: [[Float]] = [
      noise, noise.map { $0 * 1e38 }, noise.map { $0 * 1e-38 },
      noise.enumerated().map { $0 % 997 == 0 ? .nan : $1 }, [1], [.infinity, .nan],
      (0..<9600).map { sin(Float($0) * 0.05) }, Array(repeating: 1, count: 9600),
      [1] + Array(repeating: 0, count: 4800),
    ]
    for samples in wild {
      for frame in FormantTracker().track(Signal(samples, sampleRateHz: 48_000)).frames {
        let formants = (1...4).compactMap { frame[$0] }
        #expect(formants.allSatisfy { 50...5450 ~= $0.frequencyHz })
        #expect(formants.allSatisfy { 0...1000 ~= $0.bandwidthHz })
        #expect(zip(formants, formants.dropFirst()).allSatisfy { $0.frequencyHz < $1.frequencyHz })
      }
    }
  }
}
