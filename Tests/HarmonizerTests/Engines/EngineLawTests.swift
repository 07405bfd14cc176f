import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

/// The theoretical delays of the engines against the engines.
@Suite struct EngineLawTests {
  private let rateHz = 48_000.0

  /// The delay is the window at overlap 4 and seven eighths of it at 8, as
  /// docs/reference/engines.md derives. Hops are even numbers of samples, each off by at most one,
  /// and a window has `overlap` of them.
  @Test(arguments: [4, 5, 6, 8], [20.0, 42, 100])
  func theVocoderHasTheDelayOfItsLaw(overlap: Int, windowMs: Double) throws {
    let settings = Vocoder.Settings { ($0.windowMs, $0.overlap) = (windowMs, overlap) }
    let law = Vocoder.Law(settings).delayMs
    if overlap == 4 { #expect(abs(law - windowMs) < 1e-9) }
    if overlap == 8 { #expect(abs(law - windowMs * 7 / 8) < 1e-9) }
    let vocoder = try Vocoder(shiftsSemitones: [4], settings, sampleRateHz: rateHz)
    let stated = Double(vocoder.latencySamples) / rateHz * 1000
    #expect(abs(stated - law) <= Double(overlap) / rateHz * 1000)
  }

  /// The mean over a second of the newest grain's delay. All grains of a period are cut at the same
  /// place, so for shifts up the mean lies below the law by up to half of the distance between the
  /// first and the last of them, (1 - 1 / ratio) / 2 periods, and never above. An octave down every second
  /// mark has a grain, and all keep the distance of the first from its mark, which may be a fifth of a
  /// period less. Tolerances are 0.1 of a period for predicted marks and 0.2 ms for steps of 8 samples.
  @Test(arguments: [110.0, 196, 440], [-12.0, -5, 0.5, 4, 12])
  func psolaHasTheDelayOfItsLaw(noteHz: Double, semitones: Double) throws {
    var bank = try PSOLABank(shiftsSemitones: [semitones], PSOLA.Settings(), sampleRateHz: rateHz)
    let count = 96_000
    let sound = Signal.harmonics(sawtooth(12, first: 0.2), of: noteHz, seconds: 2).samples
    var (output, delays) = ([Float](repeating: 0, count: 480), [Double]())
    for start in stride(from: 0, to: count, by: 480) {
      var target = output.mutableSpan
      bank.process(sound.span, start..<(start + 480), into: &target)
      if start >= count / 2 { delays.append(bank.state(ofVoice: 0).delaySamples) }
    }
    let mean = delays.reduce(0, +) / Double(delays.count) / rateHz * 1000
    let law = PSOLA.Law(PSOLA.Settings()).delayMs(noteHz: noteHz, shiftSemitones: semitones)
    let alike = max(semitones == -12 ? 0.2 : 0, (1 - exp2(-semitones / 12)) / 2) * 1000 / noteHz
    let tolerance = 0.1 * 1000 / noteHz + 0.2
    #expect(mean <= law + tolerance, "\(mean) ms, by law \(law)")
    #expect(mean >= law - alike - tolerance, "\(mean) ms, by law \(law)")
  }

  /// A voice that keeps pitch and formants passes unchanged, whatever it sings.
  @Test(arguments: [82.0, 196, 600]) func anUnchangedVoicePasses(noteHz: Double) throws {
    let law = PSOLA.Law(PSOLA.Settings())
    #expect(
      law.delayMs(noteHz: noteHz, shiftSemitones: 0) == law.delayMs(noteHz: nil, shiftSemitones: 7))
    var settings = PSOLA.Settings()
    settings.formantShiftSemitones = 2
    let moved = PSOLA.Law(settings)
    #expect(
      moved.delayMs(noteHz: 82, shiftSemitones: 0) > moved.delayMs(noteHz: 600, shiftSemitones: 0))
    var bank = try PSOLABank(shiftsSemitones: [0], PSOLA.Settings(), sampleRateHz: rateHz)
    let sound = Signal.harmonics(sawtooth(12, first: 0.2), of: noteHz).samples
    var output = [Float](repeating: 0, count: sound.count)
    var target = output.mutableSpan
    bank.process(sound.span, 0..<sound.count, into: &target)
    let late = bank.latencySamples
    #expect(Array(output[late...].prefix(40_000)) == Array(sound.prefix(40_000)))
  }

  /// Sound without pitch has the delay of a voice at 196 Hz: 1.42 periods and 0.6 ms, 7.84 ms.
  @Test func unpitchedSoundHasTheDelayOfItsLaw() throws {
    let law = PSOLA.Law(PSOLA.Settings()).delayMs(noteHz: nil, shiftSemitones: 7)
    #expect(abs(law - (1.42 * 1000 / 196 + 0.6)) < 1e-9)
    let bank = try PSOLABank(shiftsSemitones: [7], PSOLA.Settings(), sampleRateHz: rateHz)
    // A step of 8 samples.
    #expect(abs(Double(bank.latencySamples) / rateHz * 1000 - law) < 0.17)
  }
}
