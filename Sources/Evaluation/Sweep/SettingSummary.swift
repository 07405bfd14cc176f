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

  init?(_ values: [Double]) {
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
    public var errorMedianCents: RecordingMedian?
    public var errorP95Cents: RecordingMedian?
    public var judgeErrorMedianCents: RecordingMedian?
    public var within25: RecordingMedian?
    public var grossErrors: RecordingMedian?
    public var missing: RecordingMedian?
    public var formantRatio: RecordingMedian?
    /// ESTOI against the oracle, for synthetic recordings.
    public var estoi: RecordingMedian?
    public var impulseLatencyMs: RecordingMedian?
    /// All metrics of the voice by id; empty unless requested.
    public var figures: [String: Figure]

    /// The metric of each result.
    fileprivate static var metrics: [(result: WritableKeyPath<Voice, RecordingMedian?>, id: String)]
    {
      [
        (\.errorMedianCents, "pitch.abs_error"), (\.errorP95Cents, "pitch.abs_error.p95"),
        (\.judgeErrorMedianCents, "pitch.judge_error.median"), (\.within25, "pitch.within_25"),
        (\.grossErrors, "pitch.gross_errors"), (\.missing, "voice.missing"),
        (\.formantRatio, "formant.ratio"), (\.estoi, "intelligibility.estoi"),
        (\.impulseLatencyMs, "latency.impulse"),
      ]
    }
  }

  /// A median over recordings.
  public struct Figure: Codable, Equatable, Sendable {
    public var value: Double
    /// Number of recordings with a value.
    public var count: Int
  }

  /// Ids of the metrics that a summary needs besides `figures`.
  public static let metrics =
    Voice.metrics.map(\.id) + [
      "latency.impulse.p5", "latency.impulse.p95", "latency.onset", "latency.reported",
      "cpu.realtime_factor",
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
  public var reportedLatencyMs: Double?
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
  ///
  /// - Parameter detailed: true for a figure of every metric, which takes most of the time.
  public func summaries(detailed: Bool = true) -> [SettingSummary] {
    var groups: [[CellResult]] = []
    var places: [Group: Int] = [:]
    for cell in cells {
      let key = Group(
        score: cell.score.id, condition: cell.condition, subject: cell.subject,
        settings: cell.settings)
      if let place = places[key] {
        groups[place].append(cell)
      } else {
        places[key] = groups.count
        groups.append([cell])
      }
    }
    return groups.concurrentMap { Self.summary(of: $0, detailed: detailed) }
  }

  private struct Group: Hashable {
    var score: String
    var condition: String
    var subject: String
    var settings: SubjectSettings
  }

  private static func summary(of cells: [CellResult], detailed: Bool) -> SettingSummary {
    // Defined values in the order of the cells, by voice (`nil` for the whole sound) and metric.
    var values: [Int?: [String: [Double]]] = [:]
    for cell in cells {
      guard case .measured(let all) = cell.outcome else { continue }
      all.forAll { metric, result in
        guard case .value(let value) = result.outcome else { return }
        values[result.voice, default: [:]][metric, default: []].append(value)
      }
    }
    func over(_ metric: String, voice: Int? = nil) -> RecordingMedian? {
      RecordingMedian(values[voice]?[metric] ?? [])
    }
    func figures(voice: Int) -> [String: SettingSummary.Figure] {
      (values[voice] ?? [:]).mapValues { .init(value: Statistics.median($0)!, count: $0.count) }
    }
    let (score, settings) = (cells[0].score, cells[0].settings)
    let voices = score.voiceLabels.enumerated().map { number, label in
      var voice = SettingSummary.Voice(
        label: label, figures: detailed ? figures(voice: number) : [:])
      for metric in SettingSummary.Voice.metrics {
        voice[keyPath: metric.result] = over(metric.id, voice: number)
      }
      return voice
    }
    let lows = voices.indices.compactMap { over("latency.impulse.p5", voice: $0)?.value }
    let highs = voices.indices.compactMap { over("latency.impulse.p95", voice: $0)?.value }
    var range: ClosedRange<Double>?
    if let low = lows.min(), let high = highs.max(), low <= high { range = low...high }
    return SettingSummary(
      score: score, subject: cells[0].subject, condition: cells[0].condition, settings: settings,
      voices: voices,
      latencyMs: Statistics.mean(voices.compactMap { $0.impulseLatencyMs?.value }),
      latencyRangeMs: range, onsetLatencyMs: over("latency.onset"),
      reportedLatencyMs: over("latency.reported")?.value,
      predictedLatencyMs: try? LatencyLaw(subject: cells[0].subject, settings: settings)
        .predictedMs(score: score, noteHz: nil),
      realtimeFactor: over("cpu.realtime_factor"))
  }
}
