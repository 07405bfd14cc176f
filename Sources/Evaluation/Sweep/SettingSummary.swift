import Corpus
import Platform
import Statistics
import Subjects

/// A median over recordings with its confidence interval.
public struct RecordingMedian: Codable, Equatable, Sendable {
  /// Median over recordings.
  public var value: Double
  /// 95 % interval between order statistics; `nil` with fewer than six recordings.
  public var interval: ClosedRange<Double>?
  /// Number of recordings with a value.
  public var count: Int

  package init?(_ values: [Double]) {
    guard let median = Statistics.median(values) else { return nil }
    value = median
    interval = Statistics.medianInterval(values)
    count = values.count
  }
}

/// The results of a run for one score and one setting.
public struct SettingSummary: Codable, Equatable, Sendable {
  /// The results of one voice over recordings.
  public struct Voice: Codable, Equatable, Sendable {
    /// Label of the voice in the score: `+4`, `degree 3`, `voice 1`.
    public var label: String
    /// Medians of its metrics by id.
    public var figures: [String: RecordingMedian]

    /// Median over recordings of the median absolute pitch error.
    public var errorCents: RecordingMedian? { figures["pitch.abs_error"] }
  }

  /// Ids of the metrics that the run's table and the first page of a report read of every setting.
  public static let metrics = [
    "pitch.abs_error", "pitch.abs_error.p95", "formant.ratio", "latency.impulse",
    "latency.impulse.p5", "latency.impulse.p95", "latency.onset", "cpu.realtime_factor",
  ]

  /// Name of the subject as an axis.
  public static let subjectAxis = "subject"

  public var score: Score
  public var subject: String
  /// Condition of the recordings.
  public var condition: String
  public var settings: SubjectSettings
  public var voices: [Voice]
  /// Latency of impulses, mean over voices.
  public var latencyMs: Double?
  /// 5th to 95th percentile of single impulses, widest over voices.
  public var latencyRangeMs: ClosedRange<Double>?
  /// Latency by loudness on the recordings.
  public var onsetLatencyMs: RecordingMedian?
  /// Latency of lone impulses by the engine's law; `nil` if the subject has no known law.
  public var predictedLatencyMs: Double?
  public var realtimeFactor: RecordingMedian?

  /// Returns the value of one of the plan's axes: the subject or a setting.
  public func choice(of axis: String) -> SettingValue? {
    axis == Self.subjectAxis ? .text(subject) : settings[axis]
  }
}

extension StoredRun {
  /// Returns one summary for each score, condition, subject and setting, in the order of the plan.
  public func summaries() -> [SettingSummary] {
    cells.grouped {
      Group(score: $0.score.id, condition: $0.condition, subject: $0.subject, settings: $0.settings)
    }.concurrentMap(Self.summary)
  }

  private struct Group: Hashable {
    var score: String
    var condition: String
    var subject: String
    var settings: SubjectSettings
  }

  private static func summary(of cells: [CellResult]) -> SettingSummary {
    // Defined values in the order of the cells, by voice (`nil` for the whole sound) and metric.
    var values: [Int?: [String: [Double]]] = [:]
    for cell in cells {
      guard case .measured(let all) = cell.outcome else { continue }
      all.forAll { metric, result in
        guard let value = result.outcome.number else { return }
        values[result.voice, default: [:]][metric, default: []].append(value)
      }
    }
    func over(_ metric: String, voice: Int? = nil) -> RecordingMedian? {
      RecordingMedian(values[voice]?[metric] ?? [])
    }
    let (score, settings) = (cells[0].score, cells[0].settings)
    let voices = score.voiceLabels.enumerated().map { number, label in
      SettingSummary.Voice(
        label: label, figures: (values[number] ?? [:]).compactMapValues { RecordingMedian($0) })
    }
    let lows = voices.indices.compactMap { over("latency.impulse.p5", voice: $0)?.value }
    let highs = voices.indices.compactMap { over("latency.impulse.p95", voice: $0)?.value }
    var range: ClosedRange<Double>?
    if let low = lows.min(), let high = highs.max(), low <= high { range = low...high }
    return SettingSummary(
      score: score, subject: cells[0].subject, condition: cells[0].condition, settings: settings,
      voices: voices,
      latencyMs: Statistics.mean(voices.compactMap { $0.figures["latency.impulse"]?.value }),
      latencyRangeMs: range, onsetLatencyMs: over("latency.onset"),
      predictedLatencyMs: try? LatencyLaw(subject: cells[0].subject, settings: settings)
        .predictedMs(score: score, noteHz: nil),
      realtimeFactor: over("cpu.realtime_factor"))
  }
}
