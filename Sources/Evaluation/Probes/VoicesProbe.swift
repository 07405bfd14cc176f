import Analyzer
import Corpus
import DSP
import Metrics
import Platform
import Singer
import Subjects

/// Asks for a chord and judges each voice, from its stem or from the mix.
///
/// The lead is the synthetic singer, whose pitch is exact. No two voices of a chord are a unison, an
/// octave or a twelfth apart, so a mix tells each of them.
enum VoicesProbe {
  /// Intervals of the largest chord in semitones; smaller ones take the first of them.
  private static let chord = [-5.0, 4, 9, -9, 13]
  private static let seconds = 4.0
  private static let rateHz = 48_000.0
  /// Distance from the target that listeners begin to hear as out of tune.
  private static let maxCents = 25.0
  /// Largest share of frames in which a voice may be missing or an octave off.
  private static let maxWrongShare = 0.05

  static func findings(_ bench: ProbeBench) -> [ProbeFinding] {
    do {
      let intervals = try chord(of: bench)
      let observation = try observation(of: bench, singing: intervals)
      return observation.score.score.voiceLabels.enumerated().flatMap { voice, label in
        findings(observation, voice, label: label)
      }
    } catch { return [.undefined(.voices, "pitch", error)] }
  }

  /// Returns the largest chord that the subject accepts.
  private static func chord(of bench: ProbeBench) throws -> [Double] {
    guard case .intervals(let minCount) = bench.request else {
      throw Undefined(.notRequested, "the subject is not asked for intervals; see step")
    }
    let counts = minCount == 1 ? [3, 2, 1] : [minCount]
    let accepted = counts.first { count in
      count <= chord.count
        && (try? bench.subject.validate(
          bench.settings, for: bench.score(intervals: Array(chord.prefix(count))).score)) != nil
    }
    guard let accepted else {
      throw Undefined(
        .notRequested, "no chord is known for \(minCount) voices, at most \(chord.count)")
    }
    return Array(chord.prefix(accepted))
  }

  private static func observation(
    of bench: ProbeBench, singing intervals: [Double]
  ) throws -> Observation {
    let name = "vowels-tenor"
    let sung = try Songbook.performance(id: name).render(sampleRateHz: rateHz)
    let lead = PitchTrack(of: sung.truth)
    let entry = ManifestEntry(
      id: "probe", source: "synthetic:\(name)", licence: "CC0-1.0", voice: "tenor", kind: "sung")
    let recording = Recording(
      entry: entry, signal: sung.signal[..<Int(seconds * rateHz)], digest: "", truth: lead)
    let score = ResolvedScore(Score(id: "probe", intervalsSemitones: intervals), lead: lead)
    return Observation(
      recording, score: score, rendering: try bench.render(recording.signal, score),
      settings: bench.settings)
  }

  private static func findings(
    _ observation: Observation, _ voice: Int, label: String
  ) -> [ProbeFinding] {
    func outcome(_ id: String) -> MetricResult.Outcome {
      let found = Metric.metric(id: id)!.measure(observation).first {
        $0.voice == voice || $0.voice == nil
      }
      return found?.outcome ?? .undefined(Undefined(.notMeasured, "the output lacks this voice"))
    }
    func finding(
      _ name: String, _ id: String, _ unit: String, times factor: Double = 1, limit: Double? = nil,
      _ words: (Double) -> String
    ) -> ProbeFinding {
      switch outcome(id) {
      case .value(let value):
        ProbeFinding(
          .voices, "\(name).\(label)", value * factor, unit,
          limit.map { value <= $0 ? .good : .poor } ?? .measured, words(value))
      case .undefined(let reason): .undefined(.voices, "\(name).\(label)", reason)
      }
    }
    let source = outcome("mix.judged").number.map {
      "from the mix, which tells \(fixed(100 * $0, 0)) % of the frames"
    }
    return [
      finding("pitch", "pitch.abs_error", "cents", limit: maxCents) { _ in
        let p95 = outcome("pitch.abs_error.p95").number.map { ", p95 \(fixed($0)) cents" }
        return "median distance from the target\(p95 ?? ""); \(source ?? "from the stem")"
      },
      finding("octaves", "pitch.octave_errors", "%", times: 100, limit: maxWrongShare) { _ in
        "frames an octave from the target"
      },
      finding("missing", "voice.missing", "%", times: 100, limit: maxWrongShare) { _ in
        "frames without the voice"
      },
      finding("level", "voice.level", "dB") { _ in "relative to the input, below 3.9 kHz" },
    ]
  }
}
