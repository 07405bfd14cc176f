import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Compares with known truth and with Praat's results, written by `scripts/vectors/quality.py`.
@Suite struct VoiceQualityTests {
  struct Vectors: Decodable {
    struct Tone: Decodable {
      var f0Hz: Double
      var hnrDb: Double
      var praatCc: Double
      var praatCPPS: Double
    }
    struct Pulses: Decodable {
      var f0Hz: Double
      var jitter: Double
      var shimmer: Double
      var praat: [String: Double]
    }
    var tones: [Tone]
    var pulses: [Pulses]
  }

  private static let vectors = try! golden("quality.json", as: Vectors.self)

  /// The ratio is defined by white noise at a level below harmonics.
  @Test(arguments: vectors.tones) func harmonicityIsTheKnownRatioAndPraats(tone: Vectors.Tone)
    throws
  {
    let signal = QualityVoice.noisyTone(f0Hz: tone.f0Hz, hnrDb: tone.hnrDb)
    let found = try #require(Harmonicity(of: signal).meanDecibels)
    // The maximum of several noisy peaks is a little high, and one second of noise varies a little.
    #expect(abs(found - tone.hnrDb) < 0.8)
    // Praat searches up to half the sample rate, where noise at 0 and 5 dB has more peaks.
    #expect(abs(found - tone.praatCc) < (tone.hnrDb < 10 ? 0.4 : 0.02))
  }

  /// The floor is 75 Hz, whatever lies beyond the period in the search.
  @Test(arguments: [76.0, 82.4, 90]) func voicesDownTo75HzHaveHarmonicity(f0Hz: Double) throws {
    let tone = QualityVoice.noisyTone(f0Hz: f0Hz, hnrDb: 20)
    let track = QualityVoice.steadyTrack(f0Hz: f0Hz, from: 0, to: tone.durationSeconds)
    let found = try #require(Harmonicity(of: tone, following: track).meanDecibels)
    #expect(abs(found - 20) < 1)
  }

  /// A pause is no voice: the room's noise after a tone, as long again, changes no figure.
  @Test func pausesAreNotMeasured() throws {
    let tone = QualityVoice.noisyTone(f0Hz: 196, hnrDb: 20)
    var random = SeededGenerator(seed: 1)
    let room = tone.samples.map { _ in Float(1e-4 * (random.uniform() - 0.5)) }
    let track = QualityVoice.steadyTrack(f0Hz: 196, from: 0, to: tone.durationSeconds)
    let alone = try VoiceQuality(of: tone, following: track)
    let paused = try VoiceQuality(
      of: Signal(tone.samples + room, sampleRateHz: tone.sampleRateHz), following: track)
    let (before, after) = try (
      #require(alone.cepstralProminenceDb), #require(paused.cepstralProminenceDb)
    )
    #expect(abs(before - after) < 0.3)
    #expect(try abs(#require(alone.harmonicityDb) - #require(paused.harmonicityDb)) < 0.3)
  }

  @Test(arguments: vectors.tones) func cepstralProminenceIsPraats(tone: Vectors.Tone) throws {
    let signal = QualityVoice.noisyTone(f0Hz: tone.f0Hz, hnrDb: tone.hnrDb)
    let cpps = try #require(CepstralProminence(of: signal, .speech).meanDecibels)
    // Praat keeps infrasonic noise, which is removed here. A cepstrum consists of logarithms and
    // shows what is missing, however weak: 0.12 dB at 110 Hz, 0.05 dB above.
    #expect(abs(cpps - tone.praatCPPS) < (tone.f0Hz < 150 ? 0.15 : 0.06))
  }

  /// The marks are known, so the measures follow from their definitions.
  @Test(arguments: vectors.pulses) func jitterMatchesTheKnownMarks(pulses: Vectors.Pulses) throws {
    let (marks, sizes) = QualityVoice.perturbed(
      f0Hz: pulses.f0Hz, jitter: pulses.jitter, shimmer: pulses.shimmer)
    let signal = QualityVoice.pulses(marks, sizes)
    let track = QualityVoice.steadyTrack(
      f0Hz: pulses.f0Hz, from: marks[0] - 0.001, to: marks.last! + 0.003)
    let found = try #require(
      Perturbation.jitter(periods: PeriodMarks(of: signal, following: track).periods))
    let periods = zip(marks, marks.dropFirst()).map { $1 - $0 }
    let mean = periods.reduce(0, +) / Double(periods.count)
    let steps = zip(periods, periods.dropFirst()).map { abs($1 - $0) }
    let local = steps.reduce(0, +) / Double(steps.count) / mean
    // Neighbouring pulses overlap by a thousandth, which moves marks by less than 1e-5.
    #expect(abs(found - local) < 2e-5)
    #expect(abs(found - pulses.praat["local"]!) < 2e-5)
  }

  @Test(arguments: vectors.pulses) func shimmerIsPraats(pulses: Vectors.Pulses) throws {
    let (marks, sizes) = QualityVoice.perturbed(
      f0Hz: pulses.f0Hz, jitter: pulses.jitter, shimmer: pulses.shimmer)
    let signal = QualityVoice.pulses(marks, sizes)
    let track = QualityVoice.steadyTrack(
      f0Hz: pulses.f0Hz, from: marks[0] - 0.001, to: marks.last! + 0.003)
    let found = try #require(
      Perturbation.shimmerDb(
        amplitudes: Perturbation.amplitudes(
          of: signal, at: PeriodMarks(of: signal, following: track))))
    // Marks lie at another phase than Praat's, so with jitter the windows differ a little.
    let praatDb = pulses.praat["shimmer local_dB"]!
    #expect(abs(found - praatDb) < 1e-4 + 0.005 * praatDb + 0.3 * pulses.jitter)
  }

  /// Computed by hand: periods of 10, 11, 10, 12 and 10 ms; amplitudes of 1, 1.1, 1 and 1.2.
  @Test func definitionsByHand() throws {
    let jitter = Perturbation.jitter(periods: [[0.010, 0.011, 0.010, 0.012, 0.010]])
    #expect(abs(jitter! - 0.0015 / 0.0106) < 1e-12)
    let shimmerDb = Perturbation.shimmerDb(amplitudes: [[1, 1.1, 1, 1.2]])
    #expect(abs(shimmerDb! - 20 * (2 * log10(1.1) + log10(1.2)) / 3) < 1e-12)
  }

  /// A missed mark doubles a period; that is not jitter.
  @Test func errorsOfTheMarksSplitTheRun() {
    #expect(Perturbation.jitter(periods: [[0.01, 0.01, 0.02, 0.01, 0.01], [0.5]]) == 0)
    #expect(Perturbation.jitter(periods: []) == nil)
    #expect(Perturbation.jitter(periods: [[0.01]]) == nil)
    #expect(Perturbation.shimmerDb(amplitudes: [[1, 3, 0, 3, 3]]) == 0)
  }

  @Test(arguments: [8000.0, 192_000]) func anySampleRateWorks(rateHz: Double) throws {
    let tone = QualityVoice.noisyTone(f0Hz: 150, hnrDb: 20, seconds: 0.5).resampled(to: rateHz)
    // At 8 kHz more than half of the noise is cut off; at 192 kHz nothing is.
    let hnr = try #require(Harmonicity(of: tone).meanDecibels)
    #expect(rateHz < 44_100 ? 24...30 ~= hnr : abs(hnr - 20) < 0.5)
    #expect(CepstralProminence(of: tone, .speech).meanDecibels != nil)
    let track = QualityVoice.steadyTrack(f0Hz: 150, to: 0.5)
    // Half a second has 75 periods; those at its ends can't be compared.
    let runs = PeriodMarks(of: tone, following: track).runs
    #expect(runs.count == 1 && 72...75 ~= runs[0].count)
  }

  static let oddSounds: [(String, [Float])] = [
    ("empty", []), ("one sample", [1]), ("silence", .init(repeating: 0, count: 20_000)),
    ("DC", .init(repeating: 0.5, count: 20_000)), ("NaN", .init(repeating: .nan, count: 20_000)),
    ("infinity", [.infinity] + .init(repeating: 0, count: 20_000)),
    ("click", [1] + .init(repeating: 0, count: 20_000)),
    ("square", squareWave(periodSamples: 200, count: 20_000)),
  ]

  @Test(arguments: oddSounds.map(\.0)) func resultsAreFiniteOrNone(name: String) throws {
    let samples = Self.oddSounds.first { $0.0 == name }!.1
    let signal = Signal(samples, sampleRateHz: 44_100)
    let track = QualityVoice.steadyTrack(f0Hz: 220.5, to: 0.45)
    let marks = PeriodMarks(of: signal, following: track)
    let jitter = Perturbation.jitter(periods: marks.periods)
    let shimmer = Perturbation.shimmerDb(amplitudes: Perturbation.amplitudes(of: signal, at: marks))
    let quality = try VoiceQuality(of: signal, following: track)
    let values = [
      Harmonicity(of: signal).meanDecibels, Harmonicity(of: signal, following: track).meanDecibels,
      CepstralProminence(of: signal, .speech).meanDecibels,
      CepstralProminence(of: signal, .singing).meanDecibels, jitter, shimmer,
      quality.bandHarmonicityDb,
    ]
    #expect(values.allSatisfy { $0?.isFinite ?? true })
    let sounds = name == "square" || name == "click"
    #expect(sounds || values.allSatisfy { $0 == nil }, "\(values)")
    // 220.5 Hz is 200 samples, so each period equals the last. An edge at the border of the
    // comparison moves a mark by a fraction of a sample.
    if name == "square" { #expect(values[0]! > 50 && jitter! < 1e-3) }
  }
}
