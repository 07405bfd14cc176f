import Corpus
import Files
import Metrics
import Statistics
import Sweep

/// The numbers of a run as `tune` weighs them: one for each setting, axis and recording.
///
/// All that was measured of one setting on one recording (voices, conditions, scores) is one number,
/// its median: the recording is what was sampled.
struct TuneTable: Sendable {
  /// One way to set one subject.
  struct Candidate: Hashable, Sendable {
    var subject: String
    var settings: SubjectSettings

    init(_ cell: CellResult) { (subject, settings) = (cell.subject, cell.settings) }
    init(subject: String, settings: SubjectSettings) {
      (self.subject, self.settings) = (subject, settings)
    }
  }

  let candidates: [Candidate]
  /// Those with a voice; probes are none.
  let recordings: [String]
  /// What each axis was measured by; axes that nothing in the run defines are missing.
  let metrics: [TuneAxis: String]
  /// By axis, candidate and recording.
  private(set) var values: [TuneAxis: [[Double?]]] = [:]
  /// By axis and candidate, where only probes define the metric: they are no sample of voices.
  private(set) var constants: [TuneAxis: [Double?]] = [:]
  /// Of lone impulses, median over voices; by candidate.
  let impulseLatencyMs: [Double?]
  /// The most frequent reason why a candidate has no value on an axis.
  private(set) var reasons: [TuneAxis: [String?]] = [:]
  /// Why an axis has no value at all.
  private(set) var missing: [TuneAxis: String] = [:]
  /// By axis, of each metric that may measure it.
  private let figures: [TuneAxis: [Figures]]

  /// One metric on an axis.
  private struct Figures {
    var metric: String
    /// By candidate and recording, with a voice.
    var voices: [[Double?]]
    /// By candidate.
    var probes: [Double?]
  }

  init(_ cells: [CellResult], axes: [TuneAxis]) {
    let places = Places(cells)
    candidates = places.candidates
    recordings = places.recordings
    impulseLatencyMs = places.probes(of: "latency.impulse") { $0 }
    let figures = Dictionary(
      uniqueKeysWithValues: axes.uniqued().map { axis in
        let found = axis.metrics.map { metric in
          Figures(
            metric: metric, voices: places.voices(of: metric, axis.value),
            probes: places.probes(of: metric, axis.value))
        }
        return (axis, found)
      })
    self.figures = figures
    metrics = figures.compactMapValues { Self.chosen($0, Array(places.recordings.indices))?.metric }
    choose(Array(recordings.indices))
    for axis in axes {
      let ids = metrics[axis].map { [$0] } ?? axis.metrics
      let most = places.commonReasons(ids)
      reasons[axis] = most
      if metrics[axis] == nil {
        missing[axis] =
          most.compactMap(\.self).first
          ?? "no cell measured " + axis.metrics.joined(separator: " or ")
      }
    }
  }

  /// As far as some of its recordings tell, and the probes: a delay measured on them is every voice's.
  /// Without reasons.
  init(_ whole: TuneTable, keeping kept: Set<String>) {
    let columns = whole.recordings.indices.filter { kept.contains(whole.recordings[$0]) }
    candidates = whole.candidates
    recordings = columns.map { whole.recordings[$0] }
    impulseLatencyMs = whole.impulseLatencyMs
    figures = whole.figures
    metrics = figures.compactMapValues { Self.chosen($0, columns)?.metric }
    choose(columns)
  }

  /// The first that has a value.
  private static func chosen(_ figures: [Figures], _ columns: [Int]) -> Figures? {
    figures.first { isOfVoices($0, columns) || $0.probes.contains { $0 != nil } }
  }

  private static func isOfVoices(_ figures: Figures, _ columns: [Int]) -> Bool {
    figures.voices.contains { row in columns.contains { row[$0] != nil } }
  }

  private mutating func choose(_ columns: [Int]) {
    for (axis, all) in figures {
      guard let chosen = Self.chosen(all, columns) else { continue }
      if Self.isOfVoices(chosen, columns) {
        values[axis] = chosen.voices.map { row in columns.map { row[$0] } }
      } else {
        constants[axis] = chosen.probes
      }
    }
  }

  /// Over recordings.
  func median(_ axis: TuneAxis, _ candidate: Int) -> Double? {
    if let constants = constants[axis] { return constants[candidate] }
    return values[axis].flatMap { Statistics.median($0[candidate].compactMap(\.self)) }
  }

  /// What a candidate has on every axis that it has a value on.
  func medians(_ candidate: Int) -> [TuneAxis: Double] {
    Dictionary(
      uniqueKeysWithValues: metrics.keys.compactMap { axis in
        median(axis, candidate).map { (axis, $0) }
      })
  }
}

/// Cells by candidate and recording.
private struct Places {
  let candidates: [TuneTable.Candidate]
  let recordings: [String]
  private let cells: [CellResult]
  /// Of each cell.
  private let rows: [Int]
  /// Of each cell; `nil` of probes.
  private let columns: [Int?]

  init(_ cells: [CellResult]) {
    self.cells = cells
    var (candidates, recordings) = (Numbered<TuneTable.Candidate>(), Numbered<String>())
    rows = cells.map { candidates.number(of: TuneTable.Candidate($0)) }
    columns = cells.map { $0.kind == "probe" ? nil : recordings.number(of: $0.recording) }
    (self.candidates, self.recordings) = (candidates.all, recordings.all)
  }

  /// The median of each candidate on each recording.
  func voices(of metric: String, _ change: (Double) -> Double) -> [[Double?]] {
    var found = [[Double]](repeating: [], count: candidates.count * recordings.count)
    for index in cells.indices {
      guard let column = columns[index] else { continue }
      found[rows[index] * recordings.count + column] += cells[index].values(metric).map(change)
    }
    return candidates.indices.map { row in
      recordings.indices.map { Statistics.median(found[row * recordings.count + $0]) }
    }
  }

  /// The median of each candidate over probes.
  func probes(of metric: String, _ change: (Double) -> Double) -> [Double?] {
    var found = [[Double]](repeating: [], count: candidates.count)
    for index in cells.indices where columns[index] == nil {
      found[rows[index]] += cells[index].values(metric).map(change)
    }
    return found.map { Statistics.median($0) }
  }

  /// Of each candidate, why metrics most often have no value on a voice.
  func commonReasons(_ metrics: [String]) -> [String?] {
    var why = [[String: Int]](repeating: [:], count: candidates.count)
    for index in cells.indices where columns[index] != nil {
      for reason in cells[index].reasons(metrics) { why[rows[index]][reason, default: 0] += 1 }
    }
    return why.map { $0.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
  }

  /// What comes, each once, with its number.
  private struct Numbered<Value: Hashable> {
    private(set) var all: [Value] = []
    private var numbers: [Value: Int] = [:]

    mutating func number(of value: Value) -> Int {
      if let known = numbers[value] { return known }
      numbers[value] = all.count
      all.append(value)
      return all.count - 1
    }
  }
}

extension CellResult {
  fileprivate func values(_ metric: String) -> [Double] {
    measurements(of: metric).compactMap {
      if case .value(let value) = $0.outcome { value } else { nil }
    }
  }

  /// Why metrics have no value, or the cell failed.
  fileprivate func reasons(_ metrics: [String]) -> [String] {
    if case .failed(let reason) = outcome { return [reason] }
    return metrics.flatMap { measurements(of: $0) }.compactMap {
      if case .undefined(let reason) = $0.outcome { reason } else { nil }
    }
  }
}
