import Corpus
import Metrics
import Platform
import Statistics
import Subjects
import Sweep

/// A figure of one setting on one recording.
struct TuneReading: Sendable {
  /// The figure, with what is assumed where the setting has no value and another has one.
  var value: Double
  /// Label of the worst voice; `nil` for the whole sound, and for latency and cost.
  var voice: String?
  /// The figure of measured values alone; `nil` without any.
  var measured: Double?
  var measuredVoice: String?
  /// True if a part of `value` is assumed.
  var isAssumed = false

  /// The same latency, or that of a voice which is later.
  func delayed(toMs ms: Double) -> TuneReading {
    var later = self
    later.value = max(value, ms)
    later.measured = measured.map { max($0, ms) }
    return later
  }
}

/// Cells by candidate and recording.
///
/// A class, because tasks on all cores share it.
final class TuneCells: Sendable {
  let candidates: [SettingChoice]
  /// Ids of the recordings with a voice on which some setting was measured; probes are not among them.
  let recordings: [String]
  /// Recordings on which every cell failed: nothing is known of them.
  let failedRecordings: [String]
  /// The first candidate whose sounds equal a candidate's to the last bit, by candidate.
  let firstEqual: [Int]
  let cells: [CellResult]
  /// Row of each cell.
  private let rows: [Int]
  /// Column of each cell; `nil` for those of no recording in `recordings`.
  private let columns: [Int?]
  /// Class of each cell's recording under its condition, as an index of `classes`.
  private let classNumbers: [Int]
  /// `nil` if unknown.
  private let classes: [RecordingClass?]
  /// Score of each cell, as an index of `scores`.
  let scoreNumbers: [Int]
  private let scores: [SungScore]
  /// Cells of each candidate on each recording, one candidate after the other.
  private let places: [[Int]]

  /// - Parameters:
  ///   - classes: classes of recordings by id, without a condition.
  ///   - metrics: ids of metrics of the sound, by which equal sounds are recognized.
  init(_ cells: [CellResult], classes known: [String: RecordingClass], ofSound metrics: [String]) {
    self.cells = cells
    var (candidates, recordings) = (DistinctValues<SettingChoice>(), DistinctValues<String>())
    let rows = cells.map { candidates.number(of: SettingChoice($0)) }
    self.rows = rows
    let measured = Set(cells.filter { !$0.hasFailed }.map(\.recording))
    columns = cells.map {
      $0.isProbe || !measured.contains($0.recording) ? nil : recordings.number(of: $0.recording)
    }
    failedRecordings = cells.filter { !$0.isProbe && !measured.contains($0.recording) }
      .map(\.recording).uniqued()
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

  // MARK: - Readings

  /// A voice of a score.
  struct Voice: Hashable {
    /// Index of the score in `scores`.
    var score: Int
    /// `nil` for the whole sound.
    var number: Int?
  }

  /// The circumstance and the voice of a value.
  struct Place: Hashable {
    /// Recording and condition, as an index of `classes`.
    var circumstance: Int
    var voice: Voice
  }

  /// A value of one voice under one circumstance.
  private struct Sung {
    var place: Place
    var value: Double
    /// True if it is another setting's, because this one has none there.
    var isAssumed = false
  }

  /// Returns the reading of each candidate on each recording. Where a candidate lacks a value that
  /// another has, it is assumed to be as bad as the worst of the others, and as its own elsewhere.
  ///
  /// - Parameters:
  ///   - metrics: ids; on a recording the first that has a value is read.
  ///   - probed: values of candidates that have none on any voice.
  ///   - changed: a change of a value by candidate and recording.
  func readings(
    of axis: TuneAxis, by metrics: [String], probed: [Double?] = [],
    changed: @Sendable (Double, _ row: Int, _ column: Int) -> Double = { value, _, _ in value }
  ) -> [[TuneReading?]] {
    // Equal sounds cost the same: their times differ by the noise of the processor. Blocks of another size
    // give the same sound at another cost.
    let kinds = candidates.indices.map {
      "\(firstEqual[$0]) \(candidates[$0].settings["blockSize"]?.description ?? "")"
    }
    let equals = Dictionary(grouping: candidates.indices) { kinds[$0] }
    let own = Array(candidates.indices).concurrentMap { row in
      let sung = recordings.indices.map { column in
        let rows = axis == .cost ? equals[kinds[row]]! : [row]
        let cells = rows.flatMap { self.cells($0, column) }
        let found = metrics.lazy.map { self.sung(axis, $0, cells) }.first { !$0.isEmpty } ?? []
        return found.map { Sung(place: $0.place, value: changed($0.value, row, column)) }
      }
      guard sung.allSatisfy(\.isEmpty), !probed.isEmpty, let value = probed[row] else {
        return sung
      }
      return recordings.indices.map { column in
        cells(row, column).map { Sung(place: place($0, voice: nil), value: value) }
      }
    }
    let medians = own.map { Statistics.median($0.joined().map(\.value)) }
    let assumed = Array(recordings.indices).concurrentMap { column in
      Self.assumed(own.map { $0[column] }, axis, elsewhere: medians)
    }
    return Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        reading(axis, own[row][column] + assumed[column][row])
      }
    }
  }

  private func sung(_ axis: TuneAxis, _ metric: String, _ cells: [Int]) -> [Sung] {
    cells.filter { decides(axis, metric, $0) }.flatMap { index in
      values(of: axis, by: metric, index).map { voice, value, _ in
        Sung(place: place(index, voice: voice.number), value: value)
      }
    }
  }

  func place(_ cell: Int, voice: Int?) -> Place {
    Place(circumstance: classNumbers[cell], voice: Voice(score: scoreNumbers[cell], number: voice))
  }

  /// Returns what each of several settings lacks on a recording and another has, with the worst value
  /// of the others, or its own on other recordings if that is worse.
  private static func assumed(_ all: [[Sung]], _ axis: TuneAxis, elsewhere: [Double?]) -> [[Sung]] {
    let places = all.map { $0.map(\.place) }
    guard places.contains(where: { $0 != places[0] }) else { return all.map { _ in [] } }
    var worst: [Place: Double] = [:]
    for sung in all.joined() {
      let known = worst[sung.place]
      if known.map({ axis.shortfall(sung.value) > axis.shortfall($0) }) ?? true {
        worst[sung.place] = sung.value
      }
    }
    return zip(places, elsewhere).map { own, median in
      let own = Set(own)
      return worst.filter { place, _ in lacks(own, place) }.map { place, value in
        let other = median ?? value
        let isWorse = axis.shortfall(other) > axis.shortfall(value)
        return Sung(place: place, value: isWorse ? other : value, isAssumed: true)
      }
    }
  }

  /// Returns true if none of the places is the wanted one. Voices and the whole sound stand for each
  /// other: of some subjects only the mix is known.
  static func lacks(_ own: Set<Place>, _ wanted: Place) -> Bool {
    var whole = wanted
    whole.voice.number = nil
    if own.contains(wanted) || own.contains(whole) { return false }
    return wanted.voice.number != nil
      || !own.contains {
        $0.circumstance == wanted.circumstance && $0.voice.score == wanted.voice.score
      }
  }

  /// The worst voice, each by its median; of latency and cost the median over voices.
  private func reading(_ axis: TuneAxis, _ all: [Sung]) -> TuneReading? {
    func worst(_ sung: [Sung]) -> (value: Double, voice: String?)? {
      guard axis.isAudible else { return Statistics.median(sung.map(\.value)).map { ($0, nil) } }
      let voices = Dictionary(grouping: sung, by: \.place.voice).sorted {
        (scores[$0.key.score].id, $0.key.number ?? -1)
          < (scores[$1.key.score].id, $1.key.number ?? -1)
      }.map { voice, sung in (Statistics.median(sung.map(\.value))!, label(of: voice)) }
      // The first of several equal voices counts.
      return voices.max { axis.shortfall($0.0) < axis.shortfall($1.0) }
    }
    guard let (value, voice) = worst(all) else { return nil }
    let measured = worst(all.filter { !$0.isAssumed })
    return TuneReading(
      value: value, voice: voice, measured: measured?.value, measuredVoice: measured?.voice,
      isAssumed: all.contains(where: \.isAssumed) && value != measured?.value)
  }

  // MARK: - Values

  /// Returns the median of each candidate over probes.
  func probes(of metric: String) -> [Double?] {
    var found = [[Double]](repeating: [], count: candidates.count)
    for index in cells.indices where cells[index].isProbe {
      found[rows[index]] += cells[index].measurements(of: metric).compactMap(\.outcome.number)
    }
    return found.map { Statistics.median($0) }
  }

  /// Returns the delay of a candidate's latest voice, if its voices lie apart.
  func latestVoiceMs(of row: Int) -> Double? {
    cells.indices.filter { rows[$0] == row }.map { cells[$0] }.latestVoiceMs
  }

  /// Returns the median level of a candidate's voices.
  func levelDb(of row: Int) -> Double? {
    let own = cells.indices.filter { rows[$0] == row }
    return Statistics.median(
      own.flatMap { cells[$0].measurements(of: TuneAxis.levelMetric).compactMap(\.outcome.number) })
  }

  /// Returns the most frequent reason why metrics have no value on the voices of a candidate.
  func commonReason(_ metrics: [String], of row: Int) -> Undefined? {
    var counts: [Undefined: Int] = [:]
    for index in cells.indices where rows[index] == row && !cells[index].isProbe {
      for reason in cells[index].reasons(metrics) { counts[reason, default: 0] += 1 }
      for metric in metrics where cells[index].measurements(of: metric).first?.outcome.number != nil
      {
        let kind = classes[classNumbers[index]].map { "\($0)" } ?? "these recordings"
        counts[
          Undefined(
            .notValid, "\(metric) only describes on \(kind) (docs/reference/metrics.md#validity)"),
          default: 0] += 1
      }
    }
    // What failed may have had a value, whatever else lacks one.
    return counts.max {
      ($0.key.code == .failed ? 1 : 0, $0.value, $1.key.detail)
        < ($1.key.code == .failed ? 1 : 0, $1.value, $0.key.detail)
    }?.key
  }

  /// Indices of a candidate's cells on a recording.
  func cells(_ row: Int, _ column: Int) -> [Int] {
    places[row * recordings.count + column]
  }

  /// Returns true if a metric counts on a cell's recording, and does not only describe.
  func decides(_ axis: TuneAxis, _ metric: String, _ index: Int) -> Bool {
    metric == axis.describing || Metric.decides(metric, on: classes[classNumbers[index]])
  }

  func label(of voice: Voice) -> String? {
    let labels = scores[voice.score].labels
    return voice.number.map { labels.indices.contains($0) ? labels[$0] : "\($0 + 1)" }
  }

  /// Returns the values of a cell, whether or not the metric decides there.
  func values(
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
  func values(of axis: TuneAxis, by metric: String) -> [(voice: Int?, value: Double, count: Int)] {
    measurements(of: metric).compactMap { result in
      guard let measured = result.outcome.number else { return nil }
      let rateHz = axis.rateMetric.flatMap { value($0, voice: result.voice) }
      return (result.voice, axis.value(measured, rateHz: rateHz), result.count)
    }
  }

  /// Returns the reasons why metrics have no value, or why the cell failed.
  fileprivate func reasons(_ metrics: [String]) -> [Undefined] {
    // What the program wrote to standard error stands beside the failure itself.
    if case .failed(let reason) = outcome {
      return [Undefined(.failed, String(reason.prefix { $0 != ";" }))]
    }
    return metrics.flatMap { measurements(of: $0) }.compactMap(\.outcome.reason)
  }
}
