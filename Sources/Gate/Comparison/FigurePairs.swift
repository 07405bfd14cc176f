import Metrics
import Sweep

/// The values of figures on both sides, cell by cell, one metric at a time: so memory holds those of one
/// metric, however many there are.
struct FigurePairs {
  /// A metric of one voice of one score under one configuration.
  struct Figure: Sendable {
    var id: ComparedCell.FigureID
    var metric: Metric
    fileprivate var ideal: Double?
    var score: String
    var configuration: String
    /// Where it was seen first, among pairs.
    var first: Int
    /// Cells that have a value on both sides.
    fileprivate(set) var cells: [Cell] = []
    /// Cells whose value is gone.
    fileprivate(set) var lost = 0
    fileprivate(set) var lossReason: String?
    /// Cells that had no value and have one now.
    fileprivate(set) var gained = 0

    /// Both values of one cell: 24 bytes, of which a large run has a million.
    struct Cell: Sendable {
      /// Its place among pairs, and that of its recording among recordings by name.
      fileprivate var pair, recording: Int32
      var baseline, candidate: Double
    }

    /// The share of cells with a value whose value is gone, less those that gained one.
    var lostShare: Double {
      lost == 0 ? 0 : Double(lost - gained) / Double(lost + cells.count)
    }

    /// Means over the conditions of each recording, by name.
    var baselineByRecording: [Double] { byRecording(\.baseline) }
    var candidateByRecording: [Double] { byRecording(\.candidate) }
    /// Positive is worse.
    var worseningByRecording: [Double] { byRecording(worsening) }

    /// How much worse a cell has become.
    func worsening(_ cell: Cell) -> Double {
      metric.loss(cell.candidate, ideal: ideal)! - metric.loss(cell.baseline, ideal: ideal)!
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

  struct Tables {
    var baseline, candidate: MeasurementTable?
  }

  /// What figures of one metric and voice are told apart by.
  private struct Place: Hashable {
    var score: String
    var configuration: String
  }

  private struct FigurePlace: Hashable {
    var place: Int
    var voice: String?
  }

  private let pairs: [PairedCells.Pair]
  /// Of each pair the number of its recording, and that of its place.
  private let (recordings, places): ([Int32], [Int])

  init(of all: [PairedCells.Pair]) {
    pairs = all.filter { $0.baseline.failure == nil && $0.candidate.failure == nil }
    let names = Set(pairs.map(\.address.recording)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    recordings = pairs.map { Int32(numbers[$0.address.recording]!) }
    var known: [Place: Int] = [:]
    places = pairs.map { pair in
      let place = Place(score: pair.address.score, configuration: pair.address.configuration)
      let number = known[place] ?? known.count
      known[place] = number
      return number
    }
  }

  /// Those of one metric that have a value on both sides, or lost one, as they are seen first.
  ///
  /// - Parameter tables: that have it on either side; what cells were made with unless given.
  func figures(of metric: Metric, in tables: Tables = Tables()) -> [Figure] {
    var found: [Figure] = []
    var known: [FigurePlace: Int] = [:]
    var after: [(voice: String?, outcome: MetricResult.Outcome)] = []
    for (index, pair) in pairs.enumerated() {
      after.removeAll(keepingCapacity: true)
      pair.candidate.forEachFigure(of: metric.id, in: tables.candidate) { after.append(($0, $1)) }
      pair.baseline.forEachFigure(of: metric.id, in: tables.baseline) { voice, before in
        let place = FigurePlace(place: places[index], voice: voice)
        let number = known[place] ?? found.count
        if number == found.count {
          known[place] = number
          found.append(
            Figure(
              id: .init(metric.id, voice: voice), metric: metric, ideal: metric.ideal,
              score: pair.address.score, configuration: pair.address.configuration, first: index))
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
          if found[number].lossReason == nil { found[number].lossReason = reason }
        case (.undefined, .value): found[number].gained += 1
        // Not asked for on the other side, or on neither: nothing to compare.
        case (.undefined, _), (.value, nil): break
        }
      }
    }
    return found.filter { !$0.cells.isEmpty || $0.lost > 0 }
  }

  /// By name.
  func instance(_ cell: Figure.Cell) -> MetricDifference.Instance {
    let pair = pairs[Int(cell.pair)]
    return MetricDifference.Instance(
      recording: pair.address.recording, condition: pair.address.condition,
      baseline: cell.baseline, candidate: cell.candidate, cell: pair.candidate.key)
  }
}
