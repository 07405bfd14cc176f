import Metrics
import Sweep

/// The values of figures on both sides, cell by cell. They are read one metric at a time, so memory
/// holds those of a single metric.
struct FigurePairs {
  /// One metric of one voice with one score and configuration.
  struct Figure: Sendable {
    var key: FigureKey
    var metric: Metric
    /// Index of the first pair with this figure.
    var first: Int
    /// Cells with a value on both sides.
    fileprivate(set) var cells: [Cell] = []
    /// Number of cells that lost their value.
    fileprivate(set) var lost = 0
    fileprivate(set) var lossReason: String?
    /// Number of cells that gained a value.
    fileprivate(set) var gained = 0

    /// Both values of one cell. It takes 24 bytes, because a large run has a million cells.
    struct Cell: Sendable {
      /// Index of the pair, and index of its recording in alphabetical order.
      fileprivate var pair, recording: Int32
      var baseline, candidate: Double
    }

    /// Share of the cells with a value that lost it, less those that gained one.
    var lostShare: Double {
      lost == 0 ? 0 : Double(lost - gained) / Double(lost + cells.count)
    }

    /// Means over the conditions of each recording, in alphabetical order of recordings.
    var baselineByRecording: [Double] { byRecording(\.baseline) }
    var candidateByRecording: [Double] { byRecording(\.candidate) }
    /// Worsening of each recording; positive is worse.
    var worseningByRecording: [Double] { byRecording(worsening) }

    /// Change of each recording, whichever direction is worse; `nil` for a metric without an ideal.
    var shiftByRecording: [Double]? {
      metric.ideal == nil ? nil : byRecording { $0.candidate - $0.baseline }
    }

    /// Returns the worsening of one cell.
    func worsening(_ cell: Cell) -> Double {
      metric.loss(cell.candidate)! - metric.loss(cell.baseline)!
    }

    private func byRecording(_ number: (Cell) -> Double) -> [Double] {
      var sums: [Int32: (sum: Double, count: Double)] = [:]
      for cell in cells {
        sums[cell.recording, default: (0, 0)].sum += number(cell)
        sums[cell.recording]!.count += 1
      }
      return sums.sorted { $0.key < $1.key }.map { $0.value.sum / $0.value.count }
    }
  }

  /// A figure of one metric by numbers, which are faster to look up than keys.
  private struct Index: Hashable {
    var setting: Int
    var voice: String?
  }

  private let pairs: [PairedCells.Pair]
  /// Number of the recording and number of the score and configuration of each pair.
  private let (recordings, settings): ([Int32], [Int])

  init(of all: [PairedCells.Pair]) {
    pairs = all.filter { $0.baseline.failure == nil && $0.candidate.failure == nil }
    let names = Set(pairs.map(\.address.recording)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    recordings = pairs.map { Int32(numbers[$0.address.recording]!) }
    var known: [FigureKey: Int] = [:]
    settings = pairs.map { pair in
      let setting = pair.address.key(of: FigureID(""))
      let number = known[setting] ?? known.count
      known[setting] = number
      return number
    }
  }

  /// Returns the figures of one metric with a value on both sides or a lost one, in order of
  /// appearance.
  func figures(of metric: Metric) -> [Figure] {
    var found: [Figure] = []
    var known: [Index: Int] = [:]
    var after: [(voice: String?, outcome: MetricResult.Outcome)] = []
    for (index, pair) in pairs.enumerated() {
      after.removeAll(keepingCapacity: true)
      pair.candidate.forEachFigure(of: metric.id) { after.append(($0, $1)) }
      pair.baseline.forEachFigure(of: metric.id) { voice, before in
        let place = Index(setting: settings[index], voice: voice)
        let number = known[place] ?? found.count
        if number == found.count {
          known[place] = number
          found.append(
            Figure(
              key: pair.address.key(of: FigureID(metric.id, voice: voice)), metric: metric,
              first: index))
        }
        let now = after.first { $0.voice == voice }?.outcome
        switch (before, now) {
        case (.value(let baseline), .value(let candidate)):
          found[number].cells.append(
            .init(
              pair: Int32(index), recording: recordings[index], baseline: baseline,
              candidate: candidate))
        case (.value, .undefined(let reason)):
          found[number].lost += 1
          if found[number].lossReason == nil { found[number].lossReason = reason.detail }
        case (.undefined, .value): found[number].gained += 1
        // One side or both did not measure it, so there is nothing to compare.
        case (.undefined, _), (.value, nil): break
        }
      }
    }
    return found.filter { !$0.cells.isEmpty || $0.lost > 0 }
  }

  /// Returns the recordings of a figure with the number of their cells, in the order of
  /// `Figure.worseningByRecording`.
  func recordings(of figure: Figure) -> [(name: String, cells: Int)] {
    Dictionary(grouping: figure.cells, by: \.recording).sorted { $0.key < $1.key }.map { _, cells in
      (pairs[Int(cells[0].pair)].address.recording, cells.count)
    }
  }

  /// Returns a cell with the names of its recording and condition.
  func instance(_ cell: Figure.Cell) -> MetricDifference.Instance {
    let pair = pairs[Int(cell.pair)]
    return MetricDifference.Instance(
      recording: pair.address.recording, condition: pair.address.condition,
      baseline: cell.baseline, candidate: cell.candidate, cell: pair.candidate.key)
  }
}
