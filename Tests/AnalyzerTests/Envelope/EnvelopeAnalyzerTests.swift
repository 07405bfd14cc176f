import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct EnvelopeAnalyzerTests {
  private func frames(of signal: Signal) throws -> [EnvelopeAnalyzer.Frame] {
    var settings = EnvelopeAnalyzer.Settings()
    settings.hopMs = 250
    settings.stepMs = 40
    let track = try PitchTracker().track(signal)
    return try EnvelopeAnalyzer(settings).frames(of: signal, track)
  }

  private func frame(of voice: TubeVoice) throws -> EnvelopeAnalyzer.Frame {
    let frames = try frames(of: voice.signal())
    return try #require(frames.first { $0.timeSeconds == 0.25 })
  }

  /// The true envelope at steps of 10 Hz.
  private func truth(_ voice: TubeVoice) -> SpectralEnvelope {
    SpectralEnvelope(
      levelsDb: (0...800).map { voice.levelDb(atHz: max(Double($0) * 10, 1)) }, stepHz: 10,
      lowestHz: 0, highestHz: 8000)
  }

  /// Tolerances below the errors of the best other program, 1.2, 2.0 and 3.4 dB in these pitch
  /// ranges on similar vowels. The harmonics of a high voice barely determine F1.
  @Test(arguments: [(110.0, 0.6), (220, 1.0), (330, 1.5), (520, 3.3)])
  func envelopesAreRightAtAnyPitch(f0Hz: Double, toleranceDb: Double) throws {
    var voice = TubeVoice()
    voice.f0Hz = f0Hz
    let frame = try frame(of: voice)
    let distance = try #require(frame.envelope.distanceDb(to: truth(voice), over: 0...8000))
    #expect(distance < toleranceDb, "\(distance) dB at \(f0Hz) Hz")
  }

  /// Above 400 Hz a single harmonic determines F1, and harmonics 440 Hz apart determine F2.
  @Test(arguments: [(110.0, 0.05, 0.015), (220, 0.05, 0.015), (440, 0.2, 0.04)])
  func formantsAreFound(f0Hz: Double, ofF1: Double, ofF2: Double) throws {
    var voice = TubeVoice()
    voice.f0Hz = f0Hz
    let frame = try frame(of: voice)
    for (index, tolerance) in [ofF1, ofF2, 0.01, 0.01].enumerated() {
      let found = frame.formants[index].frequencyHz
      #expect(
        abs(found / voice.formantsHz[index] - 1) < tolerance, "F\(index + 1) \(found) at \(f0Hz)")
    }
  }

  /// Formants moved by a known factor are measured moved by it.
  @Test(arguments: [1, 1.02, 1.1])
  func movedFormantsMoveAsMuch(factor: Double) throws {
    var voice = TubeVoice()
    voice.f0Hz = 180
    var moved = voice
    moved.formantsHz = voice.formantsHz.map { $0 * factor }
    let (before, after) = try (frame(of: voice), frame(of: moved))
    for index in 1...2 {
      let ratio = after.formants[index].frequencyHz / before.formants[index].frequencyHz
      #expect(abs(ratio / factor - 1) < 0.01, "F\(index + 1) by \(ratio), not \(factor)")
    }
  }

  /// The envelope gives the harmonics' amplitudes, not only a shape.
  @Test func levelsAreThoseOfTheHarmonics() throws {
    let signal = Signal.harmonics(
      Array(repeating: 0.02, count: 20), of: 200, seconds: 0.5, sampleRateHz: 32_000)
    let frame = try #require(frames(of: signal).first)
    for hz in [600.0, 1000, 2000, 3000] {
      // An amplitude of 0.02. No vocal tract is flat, so the fit may deviate by 1 dB.
      #expect(abs(frame.envelope.levelDb(atHz: hz) - 20 * log10(0.02)) < 1)
    }
  }

  @Test func soundsWithoutVoiceHaveNoFrames() throws {
    for samples in [
      [], [0.5], [Float](repeating: 0, count: 20_000), [Float](repeating: 0.3, count: 20_000),
    ] {
      let found = try frames(of: Signal(samples, sampleRateHz: 48_000))
      #expect(found.isEmpty)
    }
  }

  @Test(arguments: [8_000.0, 192_000]) func anySampleRateWorks(rateHz: Double) throws {
    var voice = TubeVoice()
    voice.sampleRateHz = rateHz
    voice.formantsHz = Array(voice.formantsHz.prefix(4))
    let frame = try frame(of: voice)
    #expect(abs(frame.formants[1].frequencyHz / 1400 - 1) < 0.03)
  }

  @Test func nonFiniteSamplesCountAsZero() throws {
    var signal = TubeVoice().signal()
    signal.samples[9_000] = .nan
    signal.samples[9_001] = .infinity
    for frame in try frames(of: signal) {
      let isFinite = frame.envelope.levelsDb.allSatisfy(\.isFinite)
      #expect(isFinite)
    }
  }

  @Test func settingsOutOfRangeThrow() {
    var settings = EnvelopeAnalyzer.Settings()
    settings.spanMs = 1
    #expect(throws: SettingsError.outOfRange(setting: "spanMs", value: 1, allowed: 20...5000)) {
      _ = try EnvelopeAnalyzer(settings)
    }
  }
}
