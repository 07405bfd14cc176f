import Corpus
import Metrics
import Platform
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
  /// The first candidate of the same subject whose output equals a candidate's to the last bit, by
  /// candidate.
  let firstEqual: [Int]

  /// - Parameters:
  ///   - classes: classes of recordings by id, without a condition.
  ///   - metrics: ids of metrics of the sound, by which equal outputs are recognized.
  init(
    _ cells: [CellResult], classes known: [String: RecordingClass] = [:], ofSound metrics: [String]
  ) {
    self.cells = cells
    var (candidates, recordings) = (DistinctValues<SettingChoice>(), DistinctValues<String>())
    let rows = cells.map { candidates.number(of: SettingChoice($0)) }
    self.rows = rows
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
    firstEqual = EqualSounds.first(
      of: candidates.all,
      cells: Dictionary(grouping: cells.indices, by: { rows[$0] })
        .mapValues { own in own.map { cells[$0] } },
      by: metrics)
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

  /// A value of one voice under one circumstance.
  private struct Sung {
    var place: Place
    var value: Double
    /// True if it is another setting's, because this one has none there.
    var isAssumed = false
  }

  /// The circumstance and the voice of a value.
  private struct Place: Hashable {
    /// Recording and condition, as an index of `classes`.
    var circumstance: Int
    var voice: Voice
  }

  /// Returns the reading of each candidate on each recording. Where a candidate lacks a value that
  /// another has, it is assumed to be as bad as the worst of the others. A candidate without any
  /// value has no readings.
  func readings(of axis: TuneAxis, by metric: String) -> [[TuneReading?]] {
    let decides = decides(axis, by: metric)
    // Equal outputs cost the same: their times differ by the noise of the processor.
    let equals = Dictionary(grouping: candidates.indices) { firstEqual[$0] }
    let own = Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        let rows = axis == .cost ? equals[firstEqual[row]]! : [row]
        return rows.flatMap { cells($0, column) }.filter { decides[classNumbers[$0]] }.flatMap {
          index in
          values(of: axis, by: metric, index).map { voice, value, _ in
            Sung(place: Place(circumstance: classNumbers[index], voice: voice), value: value)
          }
        }
      }
    }
    let measured = candidates.indices.filter { row in own[row].contains { !$0.isEmpty } }
    let assumed = Array(recordings.indices).concurrentMap { column in
      Self.assumed(measured.map { own[$0][column] }, axis)
    }
    let ranks = Dictionary(uniqueKeysWithValues: zip(measured, measured.indices))
    return Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        reading(axis, own[row][column] + (ranks[row].map { assumed[column][$0] } ?? []))
      }
    }
  }

  /// Returns what each of several settings lacks on a recording and another has, with the worst value
  /// of the others.
  private static func assumed(_ all: [[Sung]], _ axis: TuneAxis) -> [[Sung]] {
    let places = all.map { $0.map(\.place) }
    guard places.contains(where: { $0 != places[0] }) else { return all.map { _ in [] } }
    var worst: [Place: Double] = [:]
    for sung in all.joined() {
      let known = worst[sung.place]
      if known.map({ axis.shortfall(sung.value) > axis.shortfall($0) }) ?? true {
        worst[sung.place] = sung.value
      }
    }
    return places.map { own in
      let own = Set(own)
      return worst.filter { place, _ in lacks(own, place) }
        .map { Sung(place: $0, value: $1, isAssumed: true) }
    }
  }

  /// Returns true if none of the places is the wanted one. Voices and the whole sound stand for each
  /// other: of some subjects only the mix is known.
  private static func lacks(_ own: Set<Place>, _ wanted: Place) -> Bool {
    var whole = wanted
    whole.voice.number = nil
    if own.contains(wanted) || own.contains(whole) { return false }
    return wanted.voice.number != nil
      || !own.contains {
        $0.circumstance == wanted.circumstance && $0.voice.score == wanted.voice.score
      }
  }

  private func reading(_ axis: TuneAxis, _ all: [Sung]) -> TuneReading? {
    guard axis.isAudible else {
      return Statistics.median(all.map(\.value)).map {
        TuneReading(value: $0, isAssumed: all.allSatisfy(\.isAssumed))
      }
    }
    let voices = Dictionary(grouping: all, by: \.place.voice).sorted {
      (scores[$0.key.score].id, $0.key.number ?? -1) < (
        scores[$1.key.score].id, $1.key.number ?? -1
      )
    }.map { voice, sung in
      TuneReading(
        value: Statistics.median(sung.map(\.value))!, voice: label(of: voice),
        isAssumed: sung.contains(where: \.isAssumed))
    }
    // The first of several equal voices counts.
    return voices.max { axis.shortfall($0.value) < axis.shortfall($1.value) }
  }

  /// Indices of a candidate's cells on a recording.
  private func cells(_ row: Int, _ column: Int) -> [Int] {
    places[row * recordings.count + column]
  }

  /// Returns true for each candidate and recording on which it failed and another was measured.
  func failed() -> [[Bool]] {
    struct Task: Hashable { var circumstance, score: Int }
    func task(_ index: Int) -> Task {
      Task(circumstance: classNumbers[index], score: scoreNumbers[index])
    }
    let measured = Set(cells.indices.filter { !cells[$0].hasFailed }.map(task))
    return candidates.indices.map { row in
      recordings.indices.map { column in
        cells(row, column).contains { cells[$0].hasFailed && measured.contains(task($0)) }
      }
    }
  }

  /// Returns for each class whether the metric counts there, not only describes.
  private func decides(_ axis: TuneAxis, by metric: String) -> [Bool] {
    classes.map { metric == axis.lastResort || Metric.decides(metric, on: $0) }
  }

  /// Returns the median of each candidate over probes.
  func probes(of metric: String, _ change: (Double) -> Double) -> [Double?] {
    var found = [[Double]](repeating: [], count: candidates.count)
    for index in cells.indices where columns[index] == nil {
      found[rows[index]] += cells[index].measurements(of: metric).compactMap(\.outcome.number)
        .map(change)
    }
    return found.map { Statistics.median($0) }
  }

  /// Returns the voice that is lost in the largest share of frames, in percent, by candidate and
  /// recording; at most the limit if it is not exceeded by `minLostFrames`; `nil` if no loss is known
  /// and a voice was not judged that another candidate's judge heard. It is read on clean recordings,
  /// because rooms and noise hide voices from the judge too; a recording without a clean cell has all
  /// its conditions.
  ///
  /// - Parameter limit: largest share of a voice that is not lost, in percent.
  func lost(_ axes: [TuneAxis], limit: Double) -> [[TuneReading?]] {
    let clean = Set(cells.filter { $0.condition == Condition.clean.canonical }.map(\.recording))
    let metrics = axes.flatMap { axis in axis.metrics.map { (axis, $0, decides(axis, by: $0)) } }
    let judged = Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        var (worst, voices) = (TuneReading?.none, Set<Place>())
        for index in cells(row, column) {
          guard
            !clean.contains(cells[index].recording)
              || cells[index].condition == Condition.clean.canonical
          else { continue }
          for (axis, metric, decides) in metrics where decides[classNumbers[index]] {
            for (voice, percent, frames) in values(of: axis, by: metric, index) {
              voices.insert(Place(circumstance: classNumbers[index], voice: voice))
              let isLost = (percent - limit) / 100 * Double(frames) > Self.minLostFrames - 0.5
              let share = isLost ? percent : min(percent, limit)
              if share > worst?.value ?? -1 {
                worst = TuneReading(value: share, voice: label(of: voice))
              }
            }
          }
        }
        return (worst: worst, voices: voices)
      }
    }
    var lost = judged.map { $0.map(\.worst) }
    for column in recordings.indices {
      let all = judged.reduce(into: Set<Place>()) { $0.formUnion($1[column].voices) }
      for row in candidates.indices where lost[row][column].map({ $0.value <= limit }) ?? false {
        let own = judged[row][column].voices
        if own.count < all.count, all.contains(where: { Self.lacks(own, $0) }) {
          lost[row][column] = nil
        }
      }
    }
    return lost
  }

  /// Smallest number of frames beyond the limit that tells a lost voice: 50 ms, the tracker's window. A
  /// judge errs by that much at the edges of words: of a phrase of four seconds in which it lost 1.3 % of
  /// `psola`, Praat lost none.
  private static let minLostFrames = 10.0

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
            .notValid,
            "\($0) only describes on \(classes[kind]!) (docs/reference/metrics.md#validity)")
        }
      for reason in reasons { why[rows[index]][reason, default: 0] += 1 }
    }
    return why.map { $0.max { ($0.value, $1.key.detail) < ($1.value, $0.key.detail) }?.key }
  }

  // MARK: - Values

  /// A voice of a score.
  private struct Voice: Hashable {
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
    cells[index].values(of: axis, by: metric).map { number, value, count in
      (Voice(score: scoreNumbers[index], number: number), value, count)
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
  var hasFailed: Bool { if case .failed = outcome { true } else { false } }

  /// Returns the values of a metric on an axis.
  func values(
    of axis: TuneAxis, by metric: String
  ) -> [(voice: Int?, value: Double, count: Int)] {
    measurements(of: metric).compactMap { result in
      guard let measured = result.outcome.number else { return nil }
      let rateHz = axis.rateMetric.flatMap { value($0, voice: result.voice) }
      return (result.voice, axis.value(measured, rateHz: rateHz), result.count)
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
