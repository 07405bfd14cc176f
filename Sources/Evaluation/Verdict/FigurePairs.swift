import Analyzer

/// The values of each figure on both sides, cell by cell.
struct FigurePairs {
  /// A metric of one voice of one score under one configuration.
  struct Figure {
    var id: ComparedCell.FigureID
    var metric: Metric
    var score: String
    var configuration: String
    /// Cells that have a value on both sides.
    var instances: [MetricDifference.Instance] = []
    /// Cells whose value is gone.
    var lost = 0
    var lossReason: String?
    /// Cells that had no value and have one now.
    var gained = 0

    /// The share of cells with a value whose value is gone, less those that gained one.
    var lostShare: Double {
      lost == 0 ? 0 : Double(lost - gained) / Double(lost + instances.count)
    }

    /// Of each recording the mean over its conditions.
    var meansByRecording: [(recording: String, baseline: Double, candidate: Double)] {
      grouped.map { name, cells in
        (
          name, Statistics.mean(cells.map(\.baseline))!, Statistics.mean(cells.map(\.candidate))!
        )
      }
    }

    /// Of each recording the mean over its conditions; positive is worse.
    var worseningByRecording: [Double] {
      grouped.map { _, cells in
        Statistics.mean(
          cells.map { metric.badness($0.candidate)! - metric.badness($0.baseline)! })!
      }
    }

    private var grouped: [(key: String, value: [MetricDifference.Instance])] {
      Dictionary(grouping: instances, by: \.recording).sorted { $0.key < $1.key }
    }
  }

  private struct Place: Hashable {
    var id: ComparedCell.FigureID
    var score: String
    var configuration: String
  }

  /// In the order in which cells come.
  private(set) var all: [Figure] = []

  init(of pairs: [PairedCells.Pair], judging metrics: [String: Metric]) {
    var places: [Place: Int] = [:]
    for pair in pairs where pair.baseline.failure == nil && pair.candidate.failure == nil {
      let address = pair.address
      let after = pair.candidate.figures
      for (id, outcome) in pair.baseline.figures.sorted(by: { $0.key < $1.key }) {
        guard let metric = metrics[id.metric] else { continue }
        let place = Place(id: id, score: address.score, configuration: address.configuration)
        let index: Int
        if let known = places[place] {
          index = known
        } else {
          index = all.count
          places[place] = index
          all.append(
            Figure(
              id: id, metric: metric, score: address.score, configuration: address.configuration))
        }
        guard case .value(let baseline) = outcome else {
          if case .value? = after[id] { all[index].gained += 1 }
          continue
        }
        switch after[id] {
        case .value(let candidate):
          all[index].instances.append(
            MetricDifference.Instance(
              recording: address.recording, condition: address.condition, baseline: baseline,
              candidate: candidate, cell: pair.candidate.key))
        case .undefined(let reason):
          all[index].lost += 1
          if all[index].lossReason == nil { all[index].lossReason = reason }
        case nil:
          // Not asked for on the other side: nothing to compare.
          continue
        }
      }
    }
    all.removeAll { $0.instances.isEmpty && $0.lost == 0 }
  }
}
