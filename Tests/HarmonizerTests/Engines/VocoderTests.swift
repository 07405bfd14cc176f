import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer

private let rateHz = partialsRateHz

@Suite struct VocoderTests {
  static func make(
    _ semitones: Double, _ settings: Vocoder.Settings = .init(), sampleRateHz: Double = rateHz
  ) throws -> SingleVoice<Vocoder> {
    SingleVoice(try Vocoder(shiftsSemitones: [semitones], settings, sampleRateHz: sampleRateHz))
  }

  @Test(arguments: [-12.0, 7])
  func keepsTheProcessorContract(semitones: Double) throws {
    let conformance = ProcessorConformance { try Self.make(semitones) }
    #expect(try conformance.findings() == [])
  }

  @Test func keepsTheContractWithOppositeSettings() throws {
    let settings = Vocoder.Settings {
      ($0.windowMs, $0.overlap, $0.formantShiftSemitones) = (20, 5, 2)
      ($0.formantsKept, $0.transientsKept, $0.phaseLocked) = (false, false, false)
    }
    let conformance = ProcessorConformance { try Self.make(-3, settings) }
    #expect(
      try conformance.blockSizeFindings() + conformance.resetFindings()
        + conformance.realtimeFindings() == [])
  }

  /// A click is passed unchanged, so its delay is the full latency.
  @Test(arguments: [-5.0, 0], [4, 7, 8])
  func statedLatencyIsMeasured(semitones: Double, overlap: Int) throws {
    let settings = Vocoder.Settings { ($0.windowMs, $0.overlap) = (30, overlap) }
    let conformance = ProcessorConformance { try Self.make(semitones, settings) }
    #expect(try conformance.latencyFindings(impulses: 20) == [])
  }

  @Test func aShiftOfZeroIsAnExactDelay() throws {
    var vocoder = try Self.make(0)
    let input = noise(count: 9_000)
    let latency = vocoder.latencySamples
    #expect(Array(vocoder.render(input)[latency...]) == Array(input[..<(9_000 - latency)]))
    // Also after another shift, once its frames have passed.
    vocoder.bank.setShift(semitones: 4, ofVoice: 0)
    _ = vocoder.render(input)
    vocoder.bank.setShift(semitones: 0, ofVoice: 0)
    _ = vocoder.render(input)
    #expect(
      Array(vocoder.render(input)[latency...]) == Array(input[..<(9_000 - latency)]))
  }

  @Test(arguments: [(-12.0, 440.0), (0.3, 110), (7, 987.6), (24, 220)])
  func aSineComesOutAtTheRatio(semitones: Double, hz: Double) throws {
    var vocoder = try Self.make(semitones)
    let output = Array(vocoder.render(tone(hz: hz, seconds: 2)).suffix(72_000))
    // An isolated line in 1.5 s under a Hann window, interpolated, is accurate to 0.02 Hz.
    #expect(abs(strongestLineHz(in: output) - hz * exp2(semitones / 12)) < 0.02)
  }

  /// All energy outside the partials is window leakage, 50 dB down. The level stays within 2 %,
  /// where a listener notices about 5 %.
  @Test(arguments: [-12.0, 5])
  func aHarmonicToneStaysSteady(semitones: Double) throws {
    var vocoder = try Self.make(semitones)
    let f0 = 200 * exp2(semitones / 12)
    let output = vocoder.render(harmonicTone(hz: 200, seconds: 1) { 1 / $0 }).suffix(24_000)
    var rest = output.map(Double.init)
    for k in 1...16 { rest = removing(f0 * Double(k), from: rest) }
    #expect(energy(rest) < 1e-5 * energy(output.map(Double.init)))
    let periods = stride(from: 0, to: 23_000, by: 480).map { start -> Double in
      // 20 ms are not a whole number of periods, so a taper hides the ends.
      let tapered = (0..<960).map { i -> Double in
        let taper = sin(Double.pi * Double(i) / 960)
        return Double(output[output.startIndex + start + i]) * taper
      }
      return energy(tapered).squareRoot()
    }
    #expect(periods.max()! / periods.min()! < 1.02)
  }

  /// Four simultaneous tones with no common fundamental: each moves by the ratio, and no other
  /// lines appear.
  @Test(arguments: [-7.0, 4])
  func everyPartialOfAChordMoves(semitones: Double) throws {
    let notes = [220.0, 277.2, 329.6, 415.3]
    let chord = notes.map { tone(hz: $0, seconds: 1) }
    let input = chord[0].indices.map { i in chord.reduce(Float(0)) { $0 + 0.25 * $1[i] } }
    // The lowest two are 57 Hz apart, which windows of at least 4000 / 57 = 70 ms resolve.
    var vocoder = try Self.make(semitones, .init { ($0.windowMs, $0.formantsKept) = (92, false) })
    let output = vocoder.render(input).suffix(24_000).map(Double.init)
    var rest = output
    for note in notes { rest = removing(note * exp2(semitones / 12), from: rest) }
    // Their skirts overlap and are cut between them: -30 dB.
    #expect(energy(rest) < 1e-3 * energy(output))
  }

  /// A constant has no pitch: it passes unchanged, alone or under a voice, without hum. The first
  /// frames, which contain its beginning, are left out.
  @Test(arguments: [-12.0, 4, 12], [30.0, 50])
  func aConstantStaysAConstant(semitones: Double, windowMs: Double) throws {
    var other = try Self.make(semitones, .init { $0.windowMs = windowMs })
    let voice = tone(hz: 200, seconds: 1.5).map { $0 * 0.2 }
    let bare = try Self.rendered(voice, semitones, windowMs).suffix(24_000)
    let lifted = other.render(voice.map { $0 + 0.02 }).suffix(24_000)
    // Phases that start slightly differently: 40 dB below the tone.
    for (a, b) in zip(bare, lifted) { #expect(abs(b - a - 0.02) < 1e-3) }
  }

  /// Transforms of 44.1 kHz have other lengths for the same window.
  @Test(arguments: [44_100.0, 48_000], [30.0, 50])
  func aConstantDoesNotHum(sampleRateHz: Double, windowMs: Double) throws {
    for semitones in -12...12 where semitones != 0 {
      var vocoder = try Self.make(
        Double(semitones), .init { $0.windowMs = windowMs }, sampleRateHz: sampleRateHz)
      let output = vocoder.render([Float](repeating: 0.02, count: 72_000)).suffix(24_000)
      // Single precision under a window of 2400 samples: 1e-5 of the constant.
      let largest = output.map { abs($0 - 0.02) }.max() ?? 1
      #expect(largest < 2e-7, "\(semitones) semitones")
    }
  }

  private static func rendered(
    _ input: [Float], _ semitones: Double, _ windowMs: Double
  ) throws -> [Float] {
    var vocoder = try make(semitones, .init { $0.windowMs = windowMs })
    return vocoder.render(input)
  }

  /// A voice at the lowest pitch that a window of 50 ms resolves, 4 / 50 ms, with a first formant
  /// of 20 dB. Every partial has its frequency and level, and between them, at the lower octave's,
  /// there is nothing. A window of 42 ms loses two partials by 25 dB and more.
  @Test(arguments: [-7.0, 4, 12]) func aLowVoiceKeepsItsPartialsApart(semitones: Double) throws {
    func level(_ k: Double) -> Double {
      let distance = (80 * k - 280) / 90
      return 0.02 * pow(10, exp(-distance * distance))
    }
    var vocoder = try Self.make(semitones, .init { $0.formantsKept = false })
    let output = vocoder.render(harmonicTone(hz: 80, seconds: 1) { level($0) })
      .suffix(24_000).map(Double.init)
    let f0 = 80 * exp2(semitones / 12)
    for k in 1...8 {
      let found = amplitude(of: f0 * Double(k), in: output) / (0.2 * level(Double(k)))
      #expect(abs(20 * log10(found)) < 0.5, "partial \(k)")
      // 40 dB below the weakest.
      #expect(amplitude(of: f0 * (Double(k) + 0.5), in: output) < 4e-4)
    }
  }

  /// A click is output once, at its place.
  @Test(arguments: [-7.0, 7])
  func clicksAreNotDoubled(semitones: Double) throws {
    var input = [Float](repeating: 0, count: 24_000)
    input[12_345] = 1
    var vocoder = try Self.make(semitones)
    let output = vocoder.render(input).map(Double.init)
    let place = 12_345 + vocoder.latencySamples
    #expect(energy(Array(output[place - 24...place + 24])) > 0.95 * energy(output))
  }

  /// Noise is passed unchanged, so the copy of an s is the s itself.
  @Test func noiseIsPassed() throws {
    var vocoder = try Self.make(5)
    let input = noise(count: 48_000)
    let output = vocoder.render(input)
    let latency = vocoder.latencySamples
    let heard = Array(output[24_000...]).map(Double.init)
    let rest = (24_000..<48_000).map { Double(output[$0] - input[$0 - latency]) }
    #expect(energy(rest) < 0.05 * energy(heard))
  }

  /// Forty partials that glide by 300 Hz a second, with noise 13 dB below: they go elsewhere than
  /// foretold and repeat poorly, but no stretch of 10 ms may come out as it went in.
  @Test func aGlideInBreathIsNotNoise() throws {
    let breath = noise(count: 48_000)
    let input = breath.indices.map { n -> Float in
      let t = Double(n) / rateHz
      let turns = 100 * t + 150 * t * t
      return (1...40).reduce(breath[n] * 0.035) { sum, k in
        sum + Float(0.02 * cos(2 * .pi * Double(k) * turns + Double(k * k)))
      }
    }
    var vocoder = try Self.make(7)
    let output = vocoder.render(input)
    var passed = 0
    for start in stride(from: 9_600, to: 43_200, by: 480) {
      let x = input[start..<(start + 480)].map(Double.init)
      let y = output[(start + vocoder.latencySamples)...].prefix(480).map(Double.init)
      let product = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
      if abs(product) > 0.7 * (energy(x) * energy(y)).squareRoot() { passed += 1 }
    }
    #expect(passed == 0)
  }

  /// A voice whose breath begins at 1.7 kHz. Its partials from 1 to 1.5 kHz are clean, and so are those
  /// of a copy below: between them lies 60 dB less. Breath that moved with its partials left 31 to 34.
  @Test(arguments: [-7.0, -5]) func breathIsNotMovedDown(semitones: Double) throws {
    let voice = harmonicTone(hz: 150, seconds: 1) { _ in 0.1 }
    let input = voice.indices.map { n -> Float in
      (0..<400).reduce(voice[n]) { sum, i in
        let turns = (1_700 + 6.18 * Double(i)) * Double(n) / rateHz + Double(i * i) * 0.618
        return sum + Float(0.0007 * sin(2 * .pi * turns))
      }
    }
    var vocoder = try Self.make(semitones)
    let output = vocoder.render(input).suffix(24_000).map(Double.init)
    let f0 = 150 * exp2(semitones / 12)
    var (partials, between) = (0.0, 0.0)
    for k in Int((1_000 / f0).rounded(.up))...Int(1_500 / f0) {
      partials += pow(amplitude(of: f0 * Double(k), in: output), 2)
      between += pow(amplitude(of: f0 * (Double(k) + 0.5), in: output), 2)
    }
    #expect(10 * log10(partials / between) > 45)
  }

  /// No step is larger than the steepest slope of the highest tone.
  @Test func theShiftChangesWithoutAClick() throws {
    var vocoder = try Self.make(-3)
    let input = tone(hz: 300, seconds: 1)
    var output: [Float] = []
    for (part, semitones) in [-3.0, 4, 0, -12, 7].enumerated() {
      vocoder.bank.setShift(semitones: semitones, ofVoice: 0)
      output += vocoder.render(Array(input[part * 9_600..<(part + 1) * 9_600]))
    }
    // After the onset of the tone, which is a step itself.
    let steepest = zip(output[4_800...], output[4_801...]).map { abs($1 - $0) }.max()!
    // Tones of 0.5 at 300 Hz times 2^(7/12): 0.5 · 2π · 449 / 48000; crossfading adds a little.
    #expect(steepest < 0.0294 * 1.15)
  }

  @Test(arguments: [8_000.0, 44_100, 192_000])
  func allSampleRatesWork(sampleRateHz: Double) throws {
    var vocoder = try Self.make(5, sampleRateHz: sampleRateHz)
    let input = Signal.sine(250, amplitude: 0.5, sampleRateHz: sampleRateHz).samples
    let output = vocoder.render(input).suffix(Int(sampleRateHz / 2)).map(Double.init)
    let hz = 250 * exp2(5.0 / 12) * rateHz / sampleRateHz
    #expect(energy(removing(hz, from: output)) < 1e-4 * energy(output))
  }

  @Test func settingsOutOfRangeAreNamed() throws {
    for settings in [
      Vocoder.Settings { $0.windowMs = 5 }, .init { $0.overlap = 9 },
      .init { $0.formantShiftSemitones = .nan },
    ] {
      #expect(throws: SettingsError.self) { _ = try Self.make(0, settings) }
    }
    #expect(throws: SettingsError.self) { _ = try Self.make(30) }
  }

  @Test func settingsAreCodedFlat() throws {
    let engine = Engine.vocoder(.init { ($0.windowMs, $0.formantsKept) = (60, false) })
    let data = try JSONEncoder().encode(engine)
    #expect(try JSONDecoder().decode(Engine.self, from: data) == engine)
    #expect(String(decoding: data, as: UTF8.self).contains("\"engine\":\"vocoder\""))
  }
}
