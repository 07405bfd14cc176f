import Analyzer
import Corpus
import Metrics
import Subjects

/// What came of a cell.
public struct CellResult: Sendable {
  public enum Outcome: Sendable {
    case measured(Measurements)
    /// The subject or the recording failed, in words.
    case failed(String)
  }

  public var key: String
  public var recording: String
  public var kind: String
  /// What the subject heard the recording through, in its canonical spelling.
  public var condition = Condition.clean.canonical
  public var score: Score
  public var subject: String
  public var settings: SubjectSettings
  public var sampleRateHz: Double
  public var outcome: Outcome
  /// What measured it; `nil` of cells that come from elsewhere.
  public var provenance: Provenance?
  /// What is to be known beside the numbers: what was done with several channels, say.
  public var note: String?

  /// A metric's measurements by its id; none of a failed cell.
  public var measurements: [String: [MetricResult]] {
    if case .measured(let all) = outcome { all.byMetric } else { [:] }
  }

  /// Of one metric; none of a failed cell.
  public func measurements(of metric: String) -> [MetricResult] {
    if case .measured(let all) = outcome { all.all(metric) } else { [] }
  }

  /// The value of a metric, for one voice or for the whole; `nil` where it is undefined.
  public func value(_ metric: String, voice: Int? = nil) -> Double? {
    guard case .measured(let all) = outcome,
      case .value(let value) = all.first(metric, voice: voice)?.outcome
    else { return nil }
    return value
  }
}

/// The pitch of one voice over time, kept for drawing.
public struct VoiceTrace: Codable, Equatable, Sendable {
  public var voice: Int
  public var hopSeconds: Double
  /// 0 where there is none.
  public var targetHz: [Float]
  public var heardHz: [Float]
}

extension Observation {
  /// Of each voice.
  package var traces: [VoiceTrace] {
    voices.enumerated().map { index, voice in
      VoiceTrace(
        voice: index, hopSeconds: voice.heard.hopSeconds,
        targetHz: voice.target.f0Hz.map { Float($0) }, heardHz: voice.heard.f0Hz.map { Float($0) })
    }
  }
}
