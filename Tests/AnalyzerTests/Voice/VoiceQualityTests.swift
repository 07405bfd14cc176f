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
      var praatAc: Double
      var praatCc: Double
      var praatCPP: Double
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
    for (method, praat) in [
      (Harmonicity.Method.autocorrelation, tone.praatAc), (.crosscorrelation, tone.praatCc),
    ] {
      var settings = Harmonicity.Settings()
      settings.method = method
      let found = try #require(try Harmonicity(of: signal, settings).meanDecibels)
      // The maximum of several noisy peaks is a little high, and one second of noise varies a
      // little.
      #expect(abs(found - tone.hnrDb) < 0.8, "\(method)")
      // Praat searches up to half the sample rate, where noise at 0 and 5 dB has more peaks.
      #expect(abs(found - praat) < (tone.hnrDb < 10 ? 0.4 : 0.02), "\(method)")
    }
  }

  /// Praat places its frames between other samples, which affects a peak in noise more than one
  /// above it; means over time hide the difference.
  @Test(arguments: vectors.tones) func cepstralProminenceIsPraats(tone: Vectors.Tone) throws {
    let signal = QualityVoice.noisyTone(f0Hz: tone.f0Hz, hnrDb: tone.hnrDb)
    let cpps = try #require(try CepstralProminence(of: signal).meanDecibels)
    // Praat keeps infrasonic noise, which is removed here. A cepstrum consists of logarithms and
    // shows what is missing, however weak: 0.12 dB at 110 Hz, 0.05 dB above.
    #expect(abs(cpps - tone.praatCPPS) < (tone.f0Hz < 150 ? 0.15 : 0.06))
    var settings = CepstralProminence.Settings()
    settings.isSmoothed = false
    let cpp = try #require(try CepstralProminence(of: signal, settings).meanDecibels)
    #expect(abs(cpp - tone.praatCPP) < (tone.hnrDb < 10 ? 0.6 : 0.25))
  }

  /// The marks are known, so the measures follow from their definitions.
  @Test(arguments: vectors.pulses) func jitterMatchesTheKnownMarks(pulses: Vectors.Pulses) throws {
    let (marks, sizes) = QualityVoice.perturbed(
      f0Hz: pulses.f0Hz, jitter: pulses.jitter, shimmer: pulses.shimmer)
    let signal = QualityVoice.pulses(marks, sizes)
    let track = QualityVoice.steadyTrack(
      f0Hz: pulses.f0Hz, from: marks[0] - 0.001, to: marks.last! + 0.003)
    let found = Jitter(of: PeriodMarks(of: signal, following: track))
    let periods = zip(marks, marks.dropFirst()).map { $1 - $0 }
    let mean = periods.reduce(0, +) / Double(periods.count)
    let steps = zip(periods, periods.dropFirst()).map { abs($1 - $0) }
    let local = steps.reduce(0, +) / Double(steps.count) / mean
    // Neighbouring pulses overlap by a thousandth, which moves marks by less than 1e-5.
    #expect(abs(try #require(found.local) - local) < 2e-5)
    for (value, name) in [
      (found.local, "local"), (found.rap, "rap"), (found.ppq5, "ppq5"), (found.ddp, "ddp"),
    ] {
      #expect(abs(try #require(value) - pulses.praat[name]!) < 2e-5, "\(name)")
    }
  }

  @Test(arguments: vectors.pulses) func shimmerIsPraats(pulses: Vectors.Pulses) throws {
    let (marks, sizes) = QualityVoice.perturbed(
      f0Hz: pulses.f0Hz, jitter: pulses.jitter, shimmer: pulses.shimmer)
    let signal = QualityVoice.pulses(marks, sizes)
    let track = QualityVoice.steadyTrack(
      f0Hz: pulses.f0Hz, from: marks[0] - 0.001, to: marks.last! + 0.003)
    let found = Shimmer(of: signal, at: PeriodMarks(of: signal, following: track))
    for (value, name) in [
      (found.local, "local"), (found.apq3, "apq3"), (found.apq5, "apq5"), (found.apq11, "apq11"),
      (found.dda, "dda"),
    ] {
      // Marks lie at another phase than Praat's, so with jitter the windows differ a little.
      let praat = pulses.praat["shimmer " + name]!
      #expect(
        abs(try #require(value) - praat) < 1e-5 + 0.005 * praat + 0.03 * pulses.jitter, "\(name)")
    }
    let praatDb = pulses.praat["shimmer local_dB"]!
    #expect(
      abs(try #require(found.localDb) - praatDb) < 1e-4 + 0.005 * praatDb + 0.3 * pulses.jitter)
  }

  /// Computed by hand: periods of 10, 11, 10, 12 and 10 ms; amplitudes of 1, 1.1, 1 and 1.2.
  @Test func definitionsByHand() throws {
    let jitter = Jitter(periods: [[0.010, 0.011, 0.010, 0.012, 0.010]])
    #expect(abs(jitter.localSeconds! - 0.0015) < 1e-12)
    #expect(abs(jitter.local! - 0.0015 / 0.0106) < 1e-12)
    // The distances from the means of three, 10⅓, 11 and 10⅔ ms, are 2/3, 1 and 4/3 ms.
    #expect(abs(jitter.rap! - 0.001 / 0.0106) < 1e-12)
    #expect(abs(jitter.ppq5! - 0.0006 / 0.0106) < 1e-12)
    let shimmer = Shimmer(amplitudes: [[1, 1.1, 1, 1.2]])
    #expect(abs(shimmer.local! - 0.4 / 3 / 1.075) < 1e-12)
    #expect(abs(shimmer.localDb! - 20 * (2 * log10(1.1) + log10(1.2)) / 3) < 1e-12)
    #expect(abs(shimmer.apq3! - (0.2 / 3 + 0.1) / 2 / 1.075) < 1e-12)
    #expect(shimmer.apq5 == nil)
  }

  /// A missed mark doubles a period; that is not jitter.
  @Test func errorsOfTheMarksSplitTheRun() {
    let jitter = Jitter(periods: [[0.01, 0.01, 0.02, 0.01, 0.01], [0.5]])
    #expect(jitter.local == 0 && jitter.rap == nil)
    #expect(Jitter(periods: []).local == nil && Jitter(periods: [[0.01]]).local == nil)
    #expect(Shimmer(amplitudes: [[1, 3, 0, 3, 3]]).local == 0)
  }

  @Test(arguments: [8000.0, 192_000]) func anySampleRateWorks(rateHz: Double) throws {
    let tone = QualityVoice.noisyTone(f0Hz: 150, hnrDb: 20, seconds: 0.5).resampled(to: rateHz)
    // At 8 kHz more than half of the noise is cut off; at 192 kHz nothing is.
    let hnr = try #require(try Harmonicity(of: tone).meanDecibels)
    #expect(rateHz < 44_100 ? 24...30 ~= hnr : abs(hnr - 20) < 0.5)
    #expect(try CepstralProminence(of: tone).meanDecibels != nil)
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
    var values: [Double?] = []
    for method in Harmonicity.Method.allCases {
      var settings = Harmonicity.Settings()
      settings.method = method
      values.append(try Harmonicity(of: signal, settings).meanDecibels)
      values.append(try Harmonicity(of: signal, following: track, settings).meanDecibels)
    }
    values.append(try CepstralProminence(of: signal).meanDecibels)
    values.append(try CepstralProminence(of: signal, .singing).meanDecibels)
    let marks = PeriodMarks(of: signal, following: track)
    values += [Jitter(of: marks).local, Shimmer(of: signal, at: marks).local]
    values.append((try? Breathiness(of: signal, following: track))?.bandHarmonicityDb)
    #expect(values.allSatisfy { $0?.isFinite ?? true })
    let sounds = name == "square" || name == "click"
    #expect(sounds || values.allSatisfy { $0 == nil }, "\(values)")
    // 220.5 Hz is 200 samples, so each period equals the last. An edge at the border of the
    // comparison moves a mark by a fraction of a sample.
    if name == "square" { #expect(values[2]! > 50 && Jitter(of: marks).local! < 1e-3) }
  }

  @Test func settingsOutOfRangeThrow() {
    let tone = Signal([], sampleRateHz: 48_000)
    var harmonicity = Harmonicity.Settings()
    harmonicity.ceilingHz = 80
    #expect(throws: SettingsError.self) { _ = try Harmonicity(of: tone, harmonicity) }
    var cepstral = CepstralProminence.Settings()
    cepstral.hopMs = .nan
    #expect(throws: SettingsError.self) { _ = try CepstralProminence(of: tone, cepstral) }
  }
}
