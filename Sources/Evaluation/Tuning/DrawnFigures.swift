import Foundation
import Platform

/// The figures of settings under each draw of recordings, as `TuneTable.figure` defines them.
struct DrawnFigures: Sendable {
  private let table: TuneTable
  private let goal: TuneGoal
  private let draws: RecordingDraws

  init(_ table: TuneTable, _ goal: TuneGoal, _ draws: RecordingDraws) {
    (self.table, self.goal, self.draws) = (table, goal, draws)
  }

  /// Returns the figures of one axis by setting and draw.
  func all(_ axis: TuneAxis) -> [[Double?]] {
    Array(table.candidates.indices).concurrentMap { figures(axis, $0) { $0 } }
  }

  /// Returns the sum of the steps of heard axes by setting and draw; NaN if one has no figure.
  ///
  /// A step grows with its fault, so the worst recording's steps are those of the worst fault: steps
  /// are computed for each recording, not for each draw.
  func faults(over heard: [TuneAxis]) -> [[Double]] {
    Array(table.candidates.indices).concurrentMap { setting in
      var sums = [Double](repeating: 0, count: draws.count)
      for axis in heard {
        let steps = figures(axis, setting) { goal.steps(axis, $0) }
        for draw in sums.indices { sums[draw] += steps[draw] ?? .nan }
      }
      return sums
    }
  }

  /// - Parameter changed: a function that grows with the shortfall of a figure.
  private func figures(
    _ axis: TuneAxis, _ setting: Int, _ changed: (Double) -> Double
  ) -> [Double?] {
    func always(_ value: Double?) -> [Double?] {
      Array(repeating: value.map(changed), count: draws.count)
    }
    if let constants = table.constants[axis] { return always(constants[setting]) }
    guard let row = table.readings[axis]?[setting] else { return always(nil) }
    if let figure = table.figure(axis, setting), figure.isElsewhere { return always(figure.value) }
    let values = row.map { $0?.value }
    guard axis.isAudible else { return draws.worst(of: values, .median).map { $0.map(changed) } }
    // Shortfalls order values from the best to the worst, whichever direction is better.
    let sizes = values.map { $0.map(axis.shortfall) }
    if axis.ideal == 0 { return draws.worst(of: sizes.map { $0.map(changed) }, ranked) }
    return draws.worst(of: sizes, ranked).map { $0.map { changed(axis.ideal - $0) } }
  }

  private var ranked: RecordingDraws.Part { .ranked { goal.rank(of: $0) } }
}
