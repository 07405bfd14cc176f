import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Singer
import Subjects

/// Gives metrics known amounts of what they measure.
///
/// The voice is the synthetic singer's own at the target pitch, without faults. The result is
/// therefore the dose plus the metric's error, without any harmonizer's. Detuning and formants are
/// sung; all other doses are applied to the sound.
struct DoseBench {
  private let performance: Performance
  private let recording: Recording
  private let score: ResolvedScore
  private let oracle: Oracle

  static func doses(of kind: Dose.Kind) throws -> [Dose] {
    if kind == .delay { return Dose.amounts.map(delay) }
    let bench = try DoseBench(singing: -5)
    return try Dose.amounts.map { dose in
      Dose(kind, dose, try bench.measurement(of: kind, dose))
    }
  }

  private init(singing semitones: Double) throws {
    performance = try Songbook.performance(id: "vowels-tenor").withIrregularity(times: 0)
    let sung = try performance.render()
    let rate = sung.signal.sampleRateHz
    let entry = ManifestEntry(
      id: "dose", file: "", source: "synthetic:vowels-tenor", sha256: "", licence: "CC0-1.0",
      attribution: "", voice: "tenor", kind: "sung", shows: "")
    let track = PitchTrack(of: sung.truth)
    let signal = Signal(Array(sung.signal.samples.prefix(Int(4 * rate))), sampleRateHz: rate)
    recording = Recording(entry: entry, signal: signal, digest: "", truth: track)
    score = ResolvedScore(Score(id: "dose", intervalsSemitones: [semitones]), lead: track)
    oracle = try Oracle(performance, score, sampleRateHz: rate)
  }

  private func measurement(of kind: Dose.Kind, _ dose: Double) throws -> MetricResult.Outcome {
    let right = oracle.stems[0].signal
    var random = SeededGenerator(seed: 1)
    let wrong: Signal
    switch kind {
    case .detuning:
      let sharp = ResolvedScore(
        Score(id: "dose", intervalsSemitones: [-5 + dose / 100]), lead: score.lead)
      wrong = try Oracle(performance, sharp, sampleRateHz: right.sampleRateHz).stems[0].signal
    case .formants:
      var other = performance
      other.voice.tractLengthCm /= 1 + dose / 100
      wrong = try Oracle(other, score, sampleRateHz: right.sampleRateHz).stems[0].signal
    case .tremolo: wrong = right.trembling(db: dose, &random)
    case .tilt: wrong = right.filtered { hz in -dose * log2(max(hz, 50) / 100) }
    case .clicks:
      // `compare` judges the same way: it detects that both sounds share one waveform.
      let pair = try SoundPair(right.clicking(count: Int(dose), dbfs: -20), against: right)
      return PairMetric.clicks.measure(pair)[0].outcome
    case .delay: preconditionFailure("delays are measured with impulses")
    }
    let voice = Signal(
      Array(wrong.samples.prefix(recording.signal.count)), sampleRateHz: wrong.sampleRateHz)
    let observation = Observation(
      recording, score: score,
      rendering: Rendering(mix: voice, stems: [voice], reportedLatencyMs: 0, cpuSeconds: 0),
      oracle: oracle)
    let found = Metric.metric(id: kind.metric)!.measure(observation)[0].outcome
    // The dose of tilt is positive for a duller voice, whose slope is negative.
    if kind == .tilt, case .value(let slope) = found { return .value(-slope) }
    return found
  }

  private static func delay(_ ms: Double) -> Dose {
    let input = ProbeSounds.impulses(count: 12, sampleRateHz: 48_000)
    let output = input.delayed(by: { _ in ms / 1000 })
    do {
      return Dose(.delay, ms, .value(try ImpulseDelay(of: output, from: input).meanMs))
    } catch { return Dose(.delay, ms, .undefined(Undefined(error))) }
  }
}

extension Dose {
  fileprivate init(_ kind: Kind, _ given: Double, _ outcome: MetricResult.Outcome) {
    var (found, undefined): (Double?, String?) = (nil, nil)
    switch outcome {
    case .value(let value): found = value
    case .undefined(let reason): undefined = reason.detail
    }
    self.init(
      kind: kind, metric: kind.metric, unit: Metric.metric(id: kind.metric)!.unit, given: given,
      found: found, allowed: kind.allowed(given), undefined: undefined)
  }
}

extension Signal {
  /// Adds evenly spread clicks of one sample.
  fileprivate func clicking(count clicks: Int, dbfs: Double) -> Signal {
    var result = self
    for click in 0..<clicks {
      let place = (2 * click + 1) * count / (2 * clicks)
      result.samples[place] += Float(pow(10, dbfs / 20))
    }
    return result
  }
}
