import Corpus
import Files
import Metrics
import Statistics
import Subjects
import Sweep

/// Cells by candidate and recording.
struct TuneCells {
  let candidates: [SettingChoice]
  let recordings: [String]
  private let cells: [CellResult]
  /// Row of each cell.
  private let rows: [Int]
  /// Column of each cell; `nil` for probes.
  private let columns: [Int?]
  /// Class of each cell's recording under its condition; `nil` if unknown.
  private let classes: [RecordingClass?]

  /// - Parameter classes: classes of recordings by id, without a condition.
  init(_ cells: [CellResult], classes: [String: RecordingClass] = [:]) {
    self.cells = cells
    self.classes = cells.map { cell in
      (try? Condition(cell.condition)).flatMap { classes[cell.recording]?.under($0) }
    }
    var (candidates, recordings) = (DistinctValues<SettingChoice>(), DistinctValues<String>())
    rows = cells.map { candidates.number(of: SettingChoice($0)) }
    columns = cells.map { $0.kind == "probe" ? nil : recordings.number(of: $0.recording) }
    (self.candidates, self.recordings) = (candidates.all, recordings.all)
  }

  /// Returns the reading of each candidate on each recording.
  func readings(of axis: TuneAxis, by metric: String) -> [[TuneReading?]] {
    var found = [[Voice: [Double]]](repeating: [:], count: candidates.count * recordings.count)
    for index in cells.indices {
      guard let column = columns[index] else { continue }
      for (voice, value, _) in values(of: axis, by: metric, index) {
        found[rows[index] * recordings.count + column][voice, default: []].append(value)
      }
    }
    return candidates.indices.map { row in
      recordings.indices.map { column in
        let voices = found[row * recordings.count + column]
        return axis.isHeard
          ? worst(axis, voices)
          : Statistics.median(voices.values.flatMap(\.self)).map { TuneReading(value: $0) }
      }
    }
  }

  private func worst(_ axis: TuneAxis, _ voices: [Voice: [Double]]) -> TuneReading? {
    voices.sorted { $0.key < $1.key }.compactMap { voice, values in
      Statistics.median(values).map { TuneReading(value: $0, voice: voice.label) }
    }.max { axis.shortfall($0.value) < axis.shortfall($1.value) }
  }

  /// Returns the median of each candidate over probes.
  func probes(of metric: String, _ change: (Double) -> Double) -> [Double?] {
    var found = [[Double]](repeating: [], count: candidates.count)
    for index in cells.indices where columns[index] == nil {
      found[rows[index]] += cells[index].values(metric).map { change($0.value) }
    }
    return found.map { Statistics.median($0) }
  }

  /// Returns the voice that is lost in the largest share of frames, in percent, by candidate and
  /// recording; 0 if none is lost in `leastLostFrames`. It is read on clean recordings, because rooms
  /// and noise hide voices from the judge too; a recording without a clean cell has all its
  /// conditions.
  func lost(_ axes: [TuneAxis]) -> [[TuneReading?]] {
    let clean = Set(cells.filter { $0.condition == Condition.clean.canonical }.map(\.recording))
    var found = candidates.map { _ in [TuneReading?](repeating: nil, count: recordings.count) }
    for index in cells.indices {
      guard let column = columns[index],
        !clean.contains(cells[index].recording)
          || cells[index].condition == Condition.clean.canonical
      else { continue }
      let shares = axes.flatMap { axis in
        axis.metrics.flatMap { values(of: axis, by: $0, index) }
      }
      for (voice, percent, frames) in shares {
        let isTold = percent / 100 * Double(frames) > Self.leastLostFrames - 0.5
        let share = isTold ? percent : 0
        if share > found[rows[index]][column]?.value ?? -1 {
          found[rows[index]][column] = TuneReading(value: share, voice: voice.label)
        }
      }
    }
    return found
  }

  /// Smallest number of frames that tells a lost voice: 50 ms, the tracker's window. In a second of
  /// speech, 1 % of the frames is 10 ms, less than one edge of a word.
  private static let leastLostFrames = 10.0

  /// Returns for each candidate the most frequent reason why metrics have no value on a voice.
  func commonReasons(_ metrics: [String]) -> [Undefined?] {
    var why = [[Undefined: Int]](repeating: [:], count: candidates.count)
    for index in cells.indices where columns[index] != nil {
      let describing = metrics.filter { !Metric.decides($0, on: classes[index]) }
      let reasons =
        cells[index].reasons(metrics.filter { !describing.contains($0) })
        + describing.map {
          Undefined(
            .notValid, "\($0) only describes on \(classes[index]!) (docs/reference/validity.md)")
        }
      for reason in reasons { why[rows[index]][reason, default: 0] += 1 }
    }
    return why.map { $0.max { ($0.value, $1.key.detail) < ($1.value, $0.key.detail) }?.key }
  }

  // MARK: - Values

  /// A voice of a score.
  private struct Voice: Hashable, Comparable {
    var score: String
    /// `nil` for the whole sound.
    var number: Int?
    var label: String?

    static func < (a: Voice, b: Voice) -> Bool {
      (a.score, a.number ?? -1) < (b.score, b.number ?? -1)
    }
  }

  /// Returns the values of a cell; none if the metric only describes on such a recording.
  private func values(
    of axis: TuneAxis, by metric: String, _ index: Int
  ) -> [(voice: Voice, value: Double, count: Int)] {
    let cell = cells[index]
    guard metric == axis.lastResort || Metric.decides(metric, on: classes[index]) else {
      return []
    }
    let labels = cell.score.voiceLabels
    return cell.values(metric).map { number, measured, count in
      let label = number.flatMap { labels.indices.contains($0) ? labels[$0] : "\($0 + 1)" }
      let rateHz = axis.rateMetric.flatMap { cell.value($0, voice: number) }
      return (
        Voice(score: cell.score.id, number: number, label: label),
        axis.value(measured, rateHz: rateHz), count
      )
    }
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
  fileprivate func values(_ metric: String) -> [(voice: Int?, value: Double, count: Int)] {
    measurements(of: metric).compactMap { result in
      if case .value(let value) = result.outcome {
        (result.voice, value, result.count)
      } else {
        nil
      }
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
