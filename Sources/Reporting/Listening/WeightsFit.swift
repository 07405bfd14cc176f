import Statistics
import Sweep
import Tuning

extension ListenerWeights {
  /// Fits the weights of the faults to the scores of a listening test.
  ///
  /// On each clip a score falls by the same number of points for each weighted step of a fault, never
  /// rises. Faults that few choirs of the test have are told by few scores, so all weights are drawn
  /// towards their mean, as strongly as one more clip on which all faults weigh alike would draw
  /// (ridge regression).
  ///
  /// - Throws: `ListeningError.noWeights` if the scores do not fall with the faults.
  /// - Source: Hoerl and Kennard, "Ridge regression: biased estimation for nonorthogonal problems",
  ///   Technometrics 12, 1970.
  package init(
    fitting pooled: PooledAnswers, to test: ListeningTest, in run: StoredRun,
    goal: TuneGoal = TuneGoal()
  ) throws {
    let cells = Dictionary(run.cells.map { ($0.key, $0) }) { first, _ in first }
    let axes = goal.axes.filter(\.isAudible)
    var (scores, steps): ([Double], [[Double?]]) = ([], axes.map { _ in [] })
    var clips: [Int] = []
    for stimulus in test.stimuli {
      guard let system = stimulus.system, let score = pooled.byClip[system][stimulus.clip],
        let cell = stimulus.cell.flatMap({ cells[$0] })
      else { continue }
      scores.append(score)
      clips.append(stimulus.clip)
      for (place, axis) in axes.enumerated() { steps[place].append(goal.steps(of: cell, on: axis)) }
    }
    let columns = steps.map { Self.centred($0, within: clips) }
    let known = axes.indices.filter { columns[$0].contains { $0 != 0 } }
    let losses = Self.centred(scores.map { -$0 }, within: clips)
    let slopes = Self.slopes(of: losses, over: known.map { columns[$0] }, clips: Set(clips).count)
    guard let mean = Statistics.mean(slopes), mean > 0 else { throw ListeningError.noWeights }
    self.init(
      test: test.title, listeners: pooled.listeners.count, clips: Set(clips).count,
      weights: Dictionary(
        uniqueKeysWithValues: zip(known.map { axes[$0] }, slopes.map { $0 / mean })))
  }

  /// Returns values less the mean of their clip; 0 for a value that is missing.
  private static func centred(_ values: [Double?], within clips: [Int]) -> [Double] {
    var groups: [Int: [Double]] = [:]
    for (value, clip) in zip(values, clips) {
      if let value { groups[clip, default: []].append(value) }
    }
    let means = groups.mapValues { $0.reduce(0, +) / Double($0.count) }
    return zip(values, clips).map { value, clip in value.map { $0 - means[clip]! } ?? 0 }
  }

  /// Least squares with slopes of at least 0 that are drawn to their mean, by coordinate descent.
  private static func slopes(
    of losses: [Double], over columns: [[Double]], clips: Int
  ) -> [Double] {
    let squares = columns.map { $0.reduce(0) { $0 + $1 * $1 } }
    guard let square = Statistics.mean(squares), clips > 0 else { return [] }
    let draw = square / Double(clips)
    let count = Double(columns.count)
    var slopes = [Double](repeating: 0, count: columns.count)
    var rest = losses
    for _ in 0..<2000 {
      var change = 0.0
      for (place, column) in columns.enumerated() {
        let old = slopes[place]
        let others = slopes.reduce(0, +) - old
        let pull = zip(column, rest).reduce(0) { $0 + $1.0 * $1.1 } + squares[place] * old
        let new = max(
          0, (pull + draw * others / count) / (squares[place] + draw * (1 - 1 / count)))
        guard new != old else { continue }
        for index in rest.indices { rest[index] -= (new - old) * column[index] }
        slopes[place] = new
        change = max(change, abs(new - old))
      }
      if change < 1e-9 { break }
    }
    return slopes
  }
}
