import DSP
import EvaluationSupport
import Foundation
import Metrics
import Testing

@testable import Probes

@Suite struct ChoirComparisonTests {
  private static let rate = 48_000.0

  /// Ends of four notes, samples. An even rhythm would not tell the delay.
  private static let notes = [0..<17_000, 21_000..<43_000, 50_000..<64_000, 70_000..<94_000]

  /// Four notes with pauses, each of ten harmonics, with a vibrato of 30 cents.
  private static func voice(semitones: Double) -> [Float] {
    var phase = 0.0
    return (0..<96_000).map { n -> Float in
      let time = Double(n) / rate
      let note = [0.0, 2, 4, 5][notes.lastIndex { $0.lowerBound <= n }!]
      let hz = 220 * exp2((note + semitones + 0.3 * sin(2 * .pi * 5 * time)) / 12)
      phase += hz / rate
      let ends = notes.map { min(n - $0.lowerBound, $0.upperBound - n) }.max()!
      guard ends > 0 else { return 0 }
      let gain = 0.05 * min(1, Float(ends) / 480)
      return (1...10).reduce(0) { $0 + gain / Float($1) * Float(sin(2 * .pi * phase * Double($1))) }
    }
  }

  private static func signal(_ samples: [Float]) -> Signal {
    Signal(samples, sampleRateHz: rate)
  }

  private static func mix(_ semitones: [Double]) -> Signal {
    let voices = semitones.map { voice(semitones: $0) }
    return signal(voices[0].indices.map { n in voices.reduce(0) { $0 + $1[n] } })
  }

  private static func value(
    _ id: String, _ voice: Int, in comparison: ChoirComparison
  ) throws -> Double {
    let row = try #require(comparison.rows.first { $0.metric.id == id })
    let result = try #require(row.voices.first { $0.voice == voice })
    return try #require(result.outcome.number)
  }

  /// Voice -5 is 8 cents sharp, voice +4 in tune, voice +9 missing.
  @Test func eachVoiceIsJudgedInsideTheMix() throws {
    let comparison = try ChoirComparison(
      Self.mix([-4.92, 4]), madeFrom: Self.signal(Self.voice(semitones: 0)),
      intervals: [-5, 4, 9])
    #expect(abs(try Self.value("pitch.bias", 0, in: comparison) - 8) < 0.5)
    #expect(abs(try Self.value("pitch.bias", 1, in: comparison)) < 0.5)
    #expect(try Self.value("voice.missing", 0, in: comparison) == 0)
    #expect(try Self.value("voice.missing", 2, in: comparison) > 0.9)
    #expect(comparison.instants().first?.voice == 2)
  }

  /// The dry voice is on time and louder, the others are 20 ms late. It is taken out first, or the delay
  /// would be its own.
  @Test func aDryVoiceIsNoVoice() throws {
    let lead = Self.signal(Self.voice(semitones: 0))
    let late = 960
    let choir = Self.mix([-5, 4.06]).samples
    let mix = Self.signal(
      lead.samples.indices.map { 2 * lead.samples[$0] + ($0 < late ? 0 : choir[$0 - late]) })
    func comparison(isDry: Bool) throws -> ChoirComparison {
      try ChoirComparison(mix, madeFrom: lead, intervals: [-5, 4], holdsDryVoice: isDry)
    }
    let found = try comparison(isDry: true)
    #expect(abs(try #require(found.observation.delay.seconds) - 0.020) < 0.002)
    #expect(abs(try Self.value("pitch.bias", 1, in: found) - 6) < 0.5)
    #expect(try Self.value("mix.judged", 0, in: found) > 0.9)
    #expect(try #require(comparison(isDry: false).observation.delay.seconds) < 0.010)
  }

  @Test func whatHasNoAnswerIsRefused() {
    let lead = Self.signal(Self.voice(semitones: 0))
    let silence = Self.signal([Float](repeating: 0, count: 48_000))
    expectRefusal("no pitch is found in the reference") {
      try ChoirComparison(lead, madeFrom: silence, intervals: [4])
    }
    expectRefusal("the reference has 48000.0 Hz, the test 44100.0 Hz") {
      try ChoirComparison(
        Signal(lead.samples, sampleRateHz: 44_100), madeFrom: lead, intervals: [4])
    }
    var broken = lead
    broken.samples[7] = .nan
    expectRefusal("sample 7 of the test is not a number") {
      try ChoirComparison(broken, madeFrom: lead, intervals: [4])
    }
  }
}
