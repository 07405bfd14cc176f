import Corpus
import Files
import Metrics
import Statistics
import Sweep

/// The numbers of a run that `tune` compares: one for each setting, axis and recording.
///
/// It is the median of everything measured of one setting on one recording (voices, conditions,
/// scores), because recordings are the sampled unit.
struct TuneTable: Sendable {
  let candidates: [SettingChoice]
  /// Ids of the recordings with a voice; probes are not among them.
  let recordings: [String]
  /// The metric used for each axis; an axis that nothing in the run defines is missing.
  let metrics: [TuneAxis: String]
  /// Values by axis, candidate and recording.
  private(set) var values: [TuneAxis: [[Double?]]] = [:]
  /// Values by axis and candidate for metrics that only probes define; probes are no sample of
  /// voices.
  private(set) var constants: [TuneAxis: [Double?]] = [:]
  /// Latency of lone impulses by candidate, median over voices.
  let impulseLatencyMs: [Double?]
  /// The most frequent reason why a candidate has no value on an axis.
  private(set) var reasons: [TuneAxis: [Undefined?]] = [:]
  /// Reason why an axis has no value at all.
  private(set) var missing: [TuneAxis: Undefined] = [:]
  /// Figures of each possible metric, by axis.
  private let figures: [TuneAxis: [Figures]]

  /// Figures of one metric.
  private struct Figures {
    var metric: String
    /// Values by candidate and recording with a voice.
    var voices: [[Double?]]
    /// Values by candidate.
    var probes: [Double?]
  }

  init(_ cells: [CellResult], axes: [TuneAxis]) {
    let places = CellTable(cells)
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
          ?? Undefined(
            .notMeasured, "no cell measured " + axis.metrics.joined(separator: " or "))
      }
    }
  }

  /// Creates the table of some of the recordings, with all probes, whose latency applies to every
  /// voice. It has no reasons.
  init(_ whole: TuneTable, keeping kept: Set<String>) {
    let columns = whole.recordings.indices.filter { kept.contains(whole.recordings[$0]) }
    candidates = whole.candidates
    recordings = columns.map { whole.recordings[$0] }
    impulseLatencyMs = whole.impulseLatencyMs
    figures = whole.figures
    metrics = figures.compactMapValues { Self.chosen($0, columns)?.metric }
    choose(columns)
  }

  /// Returns the first metric that has a value.
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

  /// Returns the median over recordings.
  func median(_ axis: TuneAxis, _ candidate: Int) -> Double? {
    if let constants = constants[axis] { return constants[candidate] }
    return values[axis].flatMap { Statistics.median($0[candidate].compactMap(\.self)) }
  }

  /// Returns a candidate's values on every axis that has one.
  func medians(_ candidate: Int) -> [TuneAxis: Double] {
    Dictionary(
      uniqueKeysWithValues: metrics.keys.compactMap { axis in
        median(axis, candidate).map { (axis, $0) }
      })
  }
}

/// Cells by candidate and recording.
private struct CellTable {
  let candidates: [SettingChoice]
  let recordings: [String]
  private let cells: [CellResult]
  /// Row of each cell.
  private let rows: [Int]
  /// Column of each cell; `nil` for probes.
  private let columns: [Int?]

  init(_ cells: [CellResult]) {
    self.cells = cells
    var (candidates, recordings) = (DistinctValues<SettingChoice>(), DistinctValues<String>())
    rows = cells.map { candidates.number(of: SettingChoice($0)) }
    columns = cells.map { $0.kind == "probe" ? nil : recordings.number(of: $0.recording) }
    (self.candidates, self.recordings) = (candidates.all, recordings.all)
  }

  /// Returns the median of each candidate on each recording.
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

  /// Returns the median of each candidate over probes.
  func probes(of metric: String, _ change: (Double) -> Double) -> [Double?] {
    var found = [[Double]](repeating: [], count: candidates.count)
    for index in cells.indices where columns[index] == nil {
      found[rows[index]] += cells[index].values(metric).map(change)
    }
    return found.map { Statistics.median($0) }
  }

  /// Returns for each candidate the most frequent reason why metrics have no value on a voice.
  func commonReasons(_ metrics: [String]) -> [Undefined?] {
    var why = [[Undefined: Int]](repeating: [:], count: candidates.count)
    for index in cells.indices where columns[index] != nil {
      for reason in cells[index].reasons(metrics) { why[rows[index]][reason, default: 0] += 1 }
    }
    return why.map { $0.max { ($0.value, $1.key.detail) < ($1.value, $0.key.detail) }?.key }
  }

  /// Distinct values, numbered in the order in which they appear.
  private struct DistinctValues<Value: Hashable> {
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

  /// Returns the reasons why metrics have no value, or why the cell failed.
  fileprivate func reasons(_ metrics: [String]) -> [Undefined] {
    if case .failed(let reason) = outcome { return [Undefined(.failed, reason)] }
    return metrics.flatMap { measurements(of: $0) }.compactMap {
      if case .undefined(let reason) = $0.outcome { reason } else { nil }
    }
  }
}
