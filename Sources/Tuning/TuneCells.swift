import Corpus
import Files
import Metrics
import Statistics
import Subjects
import Sweep

/// Cells by candidate and recording.
///
/// A class, because tasks on all cores share it.
final class TuneCells: Sendable {
  let candidates: [SettingChoice]
  let recordings: [String]
  private let cells: [CellResult]
  /// Row of each cell.
  private let rows: [Int]
  /// Column of each cell; `nil` for probes.
  private let columns: [Int?]
  /// Class of each cell's recording under its condition, as an index of `classes`.
  private let classNumbers: [Int]
  /// `nil` if unknown.
  private let classes: [RecordingClass?]
  /// Score of each cell, as an index of `scores`.
  private let scoreNumbers: [Int]
  private let scores: [SungScore]
  /// Cells of each candidate on each recording, one candidate after the other.
  private let places: [[Int]]

  /// - Parameter classes: classes of recordings by id, without a condition.
  init(_ cells: [CellResult], classes known: [String: RecordingClass] = [:]) {
    self.cells = cells
    var (candidates, recordings) = (DistinctValues<SettingChoice>(), DistinctValues<String>())
    rows = cells.map { candidates.number(of: SettingChoice($0)) }
    columns = cells.map { $0.kind == "probe" ? nil : recordings.number(of: $0.recording) }
    (self.candidates, self.recordings) = (candidates.all, recordings.all)

    var circumstances = DistinctValues<[String]>()
    classNumbers = cells.map { circumstances.number(of: [$0.recording, $0.condition]) }
    classes = circumstances.all.map { circumstance in
      (try? Condition(circumstance[1])).flatMap { known[circumstance[0]]?.under($0) }
    }
    (scoreNumbers, scores) = SungScore.numbered(cells.lazy.map(\.score))
    var places = [[Int]](repeating: [], count: candidates.all.count * recordings.all.count)
    for index in cells.indices {
      guard let column = columns[index] else { continue }
      places[rows[index] * recordings.all.count + column].append(index)
    }
    self.places = places
  }

  /// A score by its id and the names of its voices, which take long to make.
  private struct SungScore: Equatable, Sendable {
    let id: String
    let labels: [String]

    /// Returns the number of each score, and the scores that were numbered.
    static func numbered(_ all: some Sequence<Score>) -> (numbers: [Int], scores: [SungScore]) {
      var known: [(score: Score, number: Int)] = []
      var scores: [SungScore] = []
      let numbers = all.map { score in
        if let found = known.first(where: { $0.score == score }) { return found.number }
        let sung = SungScore(id: score.id, labels: score.voiceLabels)
        let number = scores.firstIndex(of: sung) ?? scores.count
        if number == scores.count { scores.append(sung) }
        known.append((score, number))
        return number
      }
      return (numbers, scores)
    }
  }

  /// Returns the reading of each candidate on each recording.
  func readings(of axis: TuneAxis, by metric: String) -> [[TuneReading?]] {
    let (decides, columns) = (decides(axis, by: metric), recordings.indices)
    return Array(candidates.indices).concurrentMap { row in
      columns.map { column in
        let found = places[row * columns.count + column]
        if found.count == 1 {
          return decides[classNumbers[found[0]]] ? single(axis, by: metric, found[0]) : nil
        }
        var voices: [(voice: Voice, values: [Double])] = []
        for index in found where decides[classNumbers[index]] {
          for (voice, value, _) in values(of: axis, by: metric, index) {
            if let known = voices.firstIndex(where: { $0.voice == voice }) {
              voices[known].values.append(value)
            } else {
              voices.append((voice, [value]))
            }
          }
        }
        return axis.isHeard
          ? worst(axis, voices)
          : Statistics.median(voices.flatMap(\.values)).map { TuneReading(value: $0) }
      }
    }
  }

  /// Returns the reading of a single cell, as most runs have for a setting and a recording.
  private func single(_ axis: TuneAxis, by metric: String, _ index: Int) -> TuneReading? {
    guard axis.isHeard else {
      return Statistics.median(values(of: axis, by: metric, index).map(\.value))
        .map { TuneReading(value: $0) }
    }
    guard case .measured(let measurements) = cells[index].outcome else { return nil }
    var worst: (voice: Int?, value: Double)?
    measurements.forEach(metric) { voice, outcome in
      guard case .value(let measured) = outcome else { return }
      let rateHz = axis.rateMetric.flatMap { cells[index].value($0, voice: voice) }
      let value = axis.value(measured, rateHz: rateHz)
      // The first of several equal voices counts.
      let isWorse =
        worst.map { known in
          let (own, other) = (axis.shortfall(value), axis.shortfall(known.value))
          return own > other || own == other && (voice ?? -1) < (known.voice ?? -1)
        } ?? true
      if isWorse { worst = (voice, value) }
    }
    return worst.map {
      TuneReading(
        value: $0.value, voice: label(of: Voice(score: scoreNumbers[index], number: $0.voice)))
    }
  }

  /// Returns for each class whether the metric counts there, not only describes.
  private func decides(_ axis: TuneAxis, by metric: String) -> [Bool] {
    classes.map { metric == axis.lastResort || Metric.decides(metric, on: $0) }
  }

  private func worst(
    _ axis: TuneAxis, _ voices: [(voice: Voice, values: [Double])]
  ) -> TuneReading? {
    voices.sorted {
      (scores[$0.voice.score].id, $0.voice.number ?? -1)
        < (scores[$1.voice.score].id, $1.voice.number ?? -1)
    }.compactMap { voice, values in
      Statistics.median(values).map { TuneReading(value: $0, voice: label(of: voice)) }
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
  /// recording; at most the limit if it is not exceeded by `leastLostFrames`. It is read on clean
  /// recordings, because rooms and noise hide voices from the judge too; a recording without a clean cell
  /// has all its conditions.
  ///
  /// - Parameter limit: largest share of a voice that is not lost, in percent.
  func lost(_ axes: [TuneAxis], limit: Double) -> [[TuneReading?]] {
    let clean = Set(cells.filter { $0.condition == Condition.clean.canonical }.map(\.recording))
    let metrics = axes.flatMap { axis in axis.metrics.map { (axis, $0, decides(axis, by: $0)) } }
    return Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        var worst: TuneReading?
        for index in places[row * recordings.count + column] {
          guard
            !clean.contains(cells[index].recording)
              || cells[index].condition == Condition.clean.canonical
          else { continue }
          for (axis, metric, decides) in metrics where decides[classNumbers[index]] {
            for (voice, percent, frames) in values(of: axis, by: metric, index) {
              let isLost = (percent - limit) / 100 * Double(frames) > Self.leastLostFrames - 0.5
              let share = isLost ? percent : min(percent, limit)
              if share > worst?.value ?? -1 {
                worst = TuneReading(value: share, voice: label(of: voice))
              }
            }
          }
        }
        return worst
      }
    }
  }

  /// Smallest number of frames beyond the limit that tells a lost voice: 50 ms, the tracker's window. A
  /// judge errs by that much at the edges of words: of a phrase of four seconds in which it lost 1.3 % of
  /// `psola`, Praat lost none.
  private static let leastLostFrames = 10.0

  /// Returns for some candidates the most frequent reason why metrics have no value on a voice.
  func commonReasons(_ metrics: [String], of wanted: Set<Int>) -> [Undefined?] {
    var why = [[Undefined: Int]](repeating: [:], count: candidates.count)
    let decide = metrics.map { metric in classes.map { Metric.decides(metric, on: $0) } }
    for index in cells.indices where columns[index] != nil && wanted.contains(rows[index]) {
      let kind = classNumbers[index]
      let deciding = metrics.indices.filter { decide[$0][kind] }.map { metrics[$0] }
      let describing = metrics.filter {
        !deciding.contains($0) && !cells[index].measurements(of: $0).isEmpty
      }
      let reasons =
        cells[index].reasons(deciding)
        + describing.map {
          Undefined(
            .notValid, "\($0) only describes on \(classes[kind]!) (docs/reference/validity.md)")
        }
      for reason in reasons { why[rows[index]][reason, default: 0] += 1 }
    }
    return why.map { $0.max { ($0.value, $1.key.detail) < ($1.value, $0.key.detail) }?.key }
  }

  // MARK: - Values

  /// A voice of a score.
  private struct Voice: Equatable {
    /// Index of the score in `scores`.
    var score: Int
    /// `nil` for the whole sound.
    var number: Int?
  }

  private func label(of voice: Voice) -> String? {
    let labels = scores[voice.score].labels
    return voice.number.map { labels.indices.contains($0) ? labels[$0] : "\($0 + 1)" }
  }

  /// Returns the values of a cell, whether or not the metric decides there.
  private func values(
    of axis: TuneAxis, by metric: String, _ index: Int
  ) -> [(voice: Voice, value: Double, count: Int)] {
    let cell = cells[index]
    return cell.values(metric).map { number, measured, count in
      let rateHz = axis.rateMetric.flatMap { cell.value($0, voice: number) }
      return (
        Voice(score: scoreNumbers[index], number: number),
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
