import Analyzer
import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Statistics
import TestSupport
import Testing

@testable import Corpus
@testable import Platform

@Suite struct CopySynthesisTests {
  private static let swaying = KnownVoice(
    seconds: 1.5, f0Hz: { 220 * exp2(sin(2 * .pi * 5.5 * $0) / 24) })
  /// A resonance at 1500 Hz.
  @Sendable private static func resonance(_ hz: Double) -> Double {
    let distance = (hz - 1_500) / 150
    return 0.02 + 0.2 / (1 + distance * distance)
  }

  @Test func thePitchIsWhatTheTruthSays() {
    let copy = CopySynthesis(of: Self.swaying.signal()).render()
    let heard = PitchTracker.standard.track(copy.signal)
    let errors = (20..<280).compactMap { frame -> Double? in
      let (a, b) = (heard.f0Hz[frame], copy.truth.f0Hz[frame])
      return a > 0 && b > 0 ? abs(cents(a, over: b)) : nil
    }
    // The tracker averages over a few periods, so its own error on vibrato is about 1 cent.
    #expect(errors.count == 260)
    #expect(Statistics.median(errors)! < 1)
    #expect(errors.max()! < 6)
  }

  @Test func aSecondJudgeAgrees() {
    let copy = CopySynthesis(of: Self.swaying.signal()).render()
    let fit = HarmonicFit(of: copy.signal).track(around: copy.truth, every: 4)
    let errors = zip(fit.f0Hz, copy.truth.f0Hz).compactMap { heard, truth in
      heard > 0 && truth > 0 ? abs(cents(heard, over: truth)) : nil
    }
    #expect(errors.count > 60)
    #expect(Statistics.median(errors)! < 1.5)
  }

  @Test func theEnvelopeStays() {
    let voice = KnownVoice(f0Hz: { _ in 150 }, amplitude: Self.resonance)
    let copy = CopySynthesis(of: voice.signal()).render()
    #expect(copy.signal.count == voice.signal().count)
    for harmonic in [2.0, 5, 7, 12] {
      let hz = harmonic * 150
      let level = (2 * copy.signal.cut(0.3...0.7).power(hz - 20..<hz + 20)).squareRoot()
      // A Fourier sum over n samples is n/2 times each amplitude, spread over bins by leakage.
      let amplitude = level / 19_200 * 2.0.squareRoot()
      #expect(abs(20 * log10(amplitude / Self.resonance(hz))) < 0.3, "\(hz) Hz")
    }
  }

  @Test(arguments: [0.01, 0.03]) func noiseBetweenTheHarmonicsIsKept(rms: Double) {
    let voice = KnownVoice(seconds: 2, f0Hz: { _ in 240 }, noiseRms: rms)
    let (before, after) = (voice.signal(), CopySynthesis(of: voice.signal()).render().signal)
    for harmonic in [4.5, 10.5, 20.5, 40.5] {
      // The middle half between two harmonics, where neither leaks.
      let band = (harmonic - 0.25) * 240..<(harmonic + 0.25) * 240
      let change = decibels(
        after.cut(0.5...1.5).power(band), over: before.cut(0.5...1.5).power(band))
      // 120 values on both sides deviate by 4.3 · √(2/120) dB = 0.56 dB. Noise beside a harmonic
      // also shifts the tracked pitch a little, which fills the gaps of high harmonics.
      #expect(abs(change) < 2, "at \(harmonic) harmonics")
    }
  }

  @Test func whatHasNoVoiceStaysNoise() {
    let hiss = KnownVoice(f0Hz: { _ in 200 }, amplitude: { _ in 0 }, noiseRms: 0.05).signal()
    let copy = CopySynthesis(of: hiss).render()
    #expect(copy.truth.voicedShare < 0.05)
    // The level of 1 s of noise of 24 kHz deviates by 0.03 dB; ten times that.
    #expect(abs(20 * log10(copy.signal.cut(0.1...0.9).rms / hiss.cut(0.1...0.9).rms)) < 0.3)
  }

  @Test func silenceAndNothingAreCopied() {
    for samples in [[], [Float](repeating: 0, count: 9_600)] {
      let copy = CopySynthesis(of: Signal(samples, sampleRateHz: 48_000)).render()
      #expect(copy.signal.samples == samples)
    }
  }

  @Test func aManifestMayNameACopy() throws {
    let scratch = try TemporaryFolder()
    let folder = try scratch.corpus(rows: [
      "again,,copy:original,,CC0-1.0,us,alto,sung,copied",
      "original,a.wav,me,\(String(repeating: "0", count: 64)),CC0-1.0,us,alto,sung,recorded",
      "made,,synthetic:vowels-alto,,CC0-1.0,us,alto,sung,made",
      "senseless,,copy:made,,CC0-1.0,us,alto,sung,copied",
    ])
    let audio = folder.appendingPathComponent("audio/a.wav")
    try Self.swaying.signal().write(to: audio.path)
    let manifest = folder.appendingPathComponent("manifest.csv")
    let text = try String(contentsOf: manifest, encoding: .utf8)
      .replacingOccurrences(
        of: String(repeating: "0", count: 64), with: Digest.sha256(ofFile: audio))
    try text.write(to: manifest, atomically: true, encoding: .utf8)

    let corpus = try Corpus(folder: folder)
    let copy = try corpus.recording(corpus.entry(id: "again"))
    #expect(copy.truth != nil)
    let digest = try corpus.digest(of: corpus.entry(id: "again"))
    #expect(copy.digest == digest)
    #expect(try digest != corpus.digest(of: corpus.entry(id: "original")))
    #expect(throws: Refusal.self) {
      try corpus.recording(corpus.entry(id: "senseless"))
    }
    #expect(try corpus.verify() == [.unmade(id: "senseless")], "its original is synthetic")
  }
}
