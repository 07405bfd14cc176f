import Analyzer
import Corpus
import Metrics
import Statistics
import Subjects

/// The result of a cell.
public struct CellResult: Sendable {
  public enum Outcome: Sendable {
    case measured(Measurements)
    /// The reason why the subject or the recording failed.
    case failed(String)
  }

  public var key: String
  public var recording: String
  public var kind: String
  public var isProbe: Bool { kind == ManifestEntry.probeKind }
  /// Canonical text of the condition under which the subject received the recording.
  public var condition = Condition.clean.canonical
  public var score: Score
  public var subject: String
  public var settings: SubjectSettings
  public var sampleRateHz: Double
  public var outcome: Outcome
  /// Provenance of the measurement; `nil` for cells from elsewhere.
  public var provenance: Provenance?
  /// A remark beside the numbers, for example on the handling of several channels.
  public var note: String?
  /// The reason why the subject failed at the last attempt that failed, with the same input and
  /// settings; `nil` if it never did. A recording that can't be read is no failure of the subject.
  public var subjectFailure: String?
  /// True if the subject's output differed when the same input was rendered again; `nil` if it was rendered once.
  public var isRandom: Bool?
  /// Lines that the subject's program wrote to standard error although it succeeded; not stored.
  var remarks: [String] = []
  /// The sounds that are kept beside the subject's output.
  var sounds = KeptSounds()

  /// The reason why the cell failed, now or at an earlier attempt; `nil` if it never did.
  public var failure: String? {
    if case .failed(let reason) = outcome { return reason }
    return subjectFailure.map { "failed before, then not: \($0)" }
  }

  /// Measurements by metric id; empty for a failed cell.
  public var measurements: [String: [MetricResult]] {
    if case .measured(let all) = outcome { all.byMetric } else { [:] }
  }

  /// Returns the measurements of one metric; none for a failed cell.
  public func measurements(of metric: String) -> [MetricResult] {
    if case .measured(let all) = outcome { all.all(metric) } else { [] }
  }

  /// Returns the value of a metric for one voice or the whole sound; `nil` if it is undefined.
  public func value(_ metric: String, voice: Int? = nil) -> Double? {
    guard case .measured(let all) = outcome,
      case .value(let value) = all.first(metric, voice: voice)?.outcome
    else { return nil }
    return value
  }

  /// Largest error of `latency.alignment` (docs/reference/metrics.md).
  public static let delayErrorMs = 8.0

  /// Metrics of `latencyMs`, the surer first.
  public static let latencyMetrics = ["latency.onset", "latency.alignment"]

  /// Latency of the whole sound in ms: by onsets, or without clear ones where loudness and pitch agree
  /// best.
  public var latencyMs: Double? { Self.latencyMetrics.lazy.compactMap { value($0) }.first }
}

extension [CellResult] {
  /// Delay in ms of the latest voice where voices lie apart, by lone impulses or else by the loudness of
  /// each; `nil` where they don't, and where nothing tells. `CellResult.latencyMs` is the delay of the whole
  /// sound, which the other voices decide.
  public var latestVoiceMs: Double? {
    for metric in ["latency.impulse", "latency.voice"] {
      var delays: [String: [Double]] = [:]  // by score and voice
      for cell in self {
        for found in cell.measurements(of: metric) {
          guard let ms = found.outcome.number, let number = found.voice else { continue }
          delays["\(cell.score.id) \(number)", default: []].append(ms)
        }
      }
      let medians = delays.values.map { Statistics.median($0)! }
      if let latest = medians.max(), latest - medians.min()! > CellResult.delayErrorMs {
        return latest
      }
    }
    return nil
  }
}

/// Pitch of one voice over time, kept for figures.
public struct VoiceTrace: Codable, Equatable, Sendable {
  public var voice: Int
  public var hopSeconds: Double
  /// Target pitch of each frame; 0 if there is none.
  public var targetHz: [Float]
  public var measuredHz: [Float]
}

extension Observation {
  /// Traces of all voices.
  package var traces: [VoiceTrace] {
    voices.enumerated().map { index, voice in
      VoiceTrace(
        voice: index, hopSeconds: voice.heard.hopSeconds,
        targetHz: voice.target.f0Hz.map { Float($0) },
        measuredHz: voice.heard.f0Hz.map { Float($0) })
    }
  }
}
