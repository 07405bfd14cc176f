import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer

/// Correction of the harmonics of high voices towards the spectral envelope.
@Suite struct EnvelopeCorrectionTests {
  /// Two resonances 30 dB above the rest, wide enough to be sampled by harmonics 330 Hz apart.
  static func levelDb(_ hz: Double) -> Double {
    let (first, second) = ((hz - 700) / 500, (hz - 2600) / 700)
    return 10 * log10(exp(-first * first) + 0.2 * exp(-second * second) + 1e-3)
  }

  /// Harmonics whose phases turn by π across each resonance, as in a vocal tract.
  static func vowel(hz: Double, seconds: Double) -> [Float] {
    let partials = (1...Int(9000 / hz)).map { k in
      let f = Double(k) * hz
      let phase = -atan((f - 700) / 60) - atan((f - 2600) / 120)
      return Partial(f, level: 0.1 * pow(10, levelDb(f) / 20), phase: phase)
    }
    return partials.sound(seconds: seconds)
  }

  static func voice(_ semitones: Double, corrected: Bool = true) throws -> SingleVoice<PSOLABank> {
    SingleVoice(
      try PSOLABank(
        shiftsSemitones: [semitones], .init { $0.envelopeCorrected = corrected },
        sampleRateHz: 48_000))
  }

  /// The RMS difference of the harmonics up to 4 kHz from the ideal levels, without the mean.
  static func distanceDb(_ sound: ArraySlice<Float>, hz: Double) -> Double {
    let sound = Array(sound)
    let errors = (1...Int(4000 / hz)).map { k in
      let line = hannLine(of: sound, sound.indices, hz: Double(k) * hz)
      return 10 * log10(line.power) - levelDb(Double(k) * hz)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    return sqrt(errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count))
  }

  /// Linear interpolation of this envelope between harmonics 330 Hz apart errs by at most 1 dB at
  /// its bends. Grains alone lose 2 dB and more where neighbours are out of phase.
  @Test(arguments: [-5.0, 4]) func comesCloserToTheEnvelope(semitones: Double) throws {
    let input = Self.vowel(hz: 330, seconds: 1)
    let hz = 330 * exp2(semitones / 12)
    var corrected = try Self.voice(semitones)
    var plain = try Self.voice(semitones, corrected: false)
    let with = Self.distanceDb(corrected.render(input).suffix(19_200), hz: hz)
    let without = Self.distanceDb(plain.render(input).suffix(19_200), hz: hz)
    #expect(with < 1.2 && with < 0.6 * without, "\(with) of \(without)")
  }

  /// A voice's stem has the same bits whatever the other voices are and whatever its place.
  @Test(arguments: [[4.0], [4, 7], [-12, -5, 7, 4]])
  func aVoiceDoesNotDependOnOthers(shifts: [Double]) throws {
    let input = Self.swellingVowel
    func stem(of semitones: Double, among shifts: [Double]) throws -> [Float] {
      let voices = shifts.map { Harmonizer.Voice(intervalSemitones: $0) }
      var choir = try Harmonizer(
        .init(voices: voices, engine: .psola(.init { $0.envelopeCorrected = true })),
        sampleRateHz: 48_000)
      var mix = [Float](repeating: 0, count: input.count)
      var stems = [Float](repeating: 0, count: voices.count * input.count)
      var mixSpan = mix.mutableSpan
      var stemSpan = stems.mutableSpan
      choir.process(input.span, into: &mixSpan, stems: &stemSpan)
      let place = try #require(shifts.firstIndex(of: semitones))
      return Array(stems[place * input.count..<(place + 1) * input.count])
    }
    #expect(try stem(of: 4, among: shifts) == stem(of: 4, among: [-3, 4, 12]))
  }

  /// A vowel whose level grows and whose pitch jumps, so that the time of each grain matters.
  private static var swellingVowel: [Float] {
    let (low, high) = (vowel(hz: 300, seconds: 0.6), vowel(hz: 420, seconds: 0.6))
    return low.indices.map { i in
      i < low.count / 2 ? low[i] * Float(i) / Float(low.count) : 0.5 * high[i]
    }
  }

  /// A periodic voice stays periodic: levels vary by less than 0.1 %, which the marks' settling
  /// causes.
  @Test(arguments: [-7.0, 5]) func doesNotTremble(semitones: Double) throws {
    var voice = try Self.voice(semitones)
    let output = Array(voice.render(Self.vowel(hz: 320, seconds: 1)).suffix(19_200))
    let period = 150 / exp2(semitones / 12)
    let levels = (0..<Int(19_000 / (8 * period))).map { n in
      // Over eight periods under a Hann window, so that fractions of periods at the ends don't
      // matter.
      let start = Double(n) * 8 * period
      var sum = 0.0
      for i in 0..<Int(8 * period) {
        let window = sin(.pi * Double(i) / (8 * period))
        sum += window * window * Double(output[Int(start) + i]) * Double(output[Int(start) + i])
      }
      return sqrt(sum)
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    let spread = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)
    #expect(sqrt(spread) / mean < 0.001)
  }

  /// The contract during the correction and where a voice begins and ends.
  @Test func keepsTheContractWhileAtWork() throws {
    let silence = [Float](repeating: 0, count: 6000)
    let input = silence + Self.vowel(hz: 400, seconds: 0.5) + silence
    let conformance = ProcessorConformance { Rehearsed(input, by: try Self.voice(-3)) }
    #expect(try conformance.blockSizeFindings() == [])
    #expect(try conformance.resetFindings() == [])
    #expect(try conformance.realtimeFindings() == [])
  }

  /// The correction is at most 12 dB, so a sound can't become much louder than its grains.
  @Test func staysBounded() throws {
    var random = SeededGenerator(seed: 3)
    let input = (0..<48_000).map { i in
      Float((i / 75) % 2 == 0 ? 1 : -1) * Float(random.uniform())
    }
    for semitones in [-12.0, 12] {
      var voice = try Self.voice(semitones)
      #expect(voice.render(input).allSatisfy { abs($0) < 8 })
    }
  }

  /// The filter's levelling is the inverse of its documented response.
  @Test func theQuarterBandIsFlat() {
    // A Hann-windowed sinc; the levelling is 1 over its squared response, times 4 for the rate.
    let taps = (0..<24).map { i in
      let x = Double(i) - 11.5
      let hann = 0.5 + 0.5 * cos(.pi * x / 12.5)
      return sin(.pi * x / 4) / (.pi * x) * hann
    }
    let sum = taps.reduce(0, +)
    for frequency in [0.0, 0.03, 0.06, 0.08] {
      let response = taps.indices.reduce(0) {
        $0 + taps[$1] / sum * cos(2 * .pi * frequency * (Double($1) - 11.5))
      }
      let level = Double(QuarterRateFilter().levelling(at: Float(frequency)))
      // The table has 32 entries; the nearest one is used.
      #expect(abs(level * response * response / 4 - 1) < 0.03)
    }
  }

  @Test func settingsWrittenBeforeAreStillRead() throws {
    let text = #"{"lookAheadPeriods": 0, "unvoicedGain": 0.5}"#
    let read = try JSONDecoder().decode(PSOLA.Settings.self, from: Data(text.utf8))
    #expect(read == PSOLA.Settings { ($0.lookAheadPeriods, $0.unvoicedGain) = (0, 0.5) })
  }
}

/// A processor that repeats the same sound, whatever its input.
private struct Rehearsed: BlockProcessor, ~Copyable {
  private let sound: [Float]
  private var voice: SingleVoice<PSOLABank>
  private var place = 0

  init(_ sound: [Float], by voice: consuming SingleVoice<PSOLABank>) {
    self.sound = sound
    self.voice = voice
  }

  var latencySamples: Int { @_semantics("no_performance_analysis") get { voice.latencySamples } }

  @_semantics("no_performance_analysis") mutating func reset() {
    voice.reset()
    place = 0
  }

  @_semantics("no_performance_analysis")
  mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    let sound = sound
    var done = 0
    while done < input.count {
      let count = min(input.count - done, sound.count - place)
      var part = output._mutatingExtracting(done..<done + count)
      voice.bank.process(sound.span, place..<place + count, into: &part)
      done += count
      place = place + count == sound.count ? 0 : place + count
    }
  }
}
