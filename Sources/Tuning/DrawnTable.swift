import Statistics

/// The table of settings under repeated resampling of its recordings.
struct DrawnTable {
  /// Share of draws in which each setting is on the front; `nil` if there are too few recordings.
  private(set) var frontShare: [Double]?
  /// Share of draws in which each setting is within all budgets.
  private(set) var fitShare: [Double]?
  /// Share of draws in which each setting is recommended.
  private(set) var chosenShare: [Double]?
  /// Number of draws; `used` counts those in which some setting has all figures.
  let count: Int
  private(set) var used = 0

  private let draws: RecordingDraws
  /// Resampled medians by axis, setting and draw.
  private var drawn: [TuneAxis: [[Double?]]] = [:]

  /// - Parameter countsFront: true to compute `frontShare`, which takes most of the time.
  init(
    _ table: TuneTable, weighed: [TuneAxis], goal: TuneGoal, _ settings: ClusterBootstrap.Settings,
    countsFront: Bool = true
  ) {
    draws = RecordingDraws(recordings: table.recordings.count, settings: settings)
    count = draws.count
    for axis in table.metrics.keys {
      drawn[axis] = table.candidates.indices.map { index in
        if let constants = table.constants[axis] {
          return Array(repeating: constants[index], count: draws.count)
        }
        return draws.medians(of: table.values[axis]![index])
      }
    }
    guard table.recordings.count >= ClusterBootstrap.fewestClusters, !weighed.isEmpty else {
      return
    }
    count(table, weighed, goal, countsFront: countsFront)
  }

  private mutating func count(
    _ table: TuneTable, _ weighed: [TuneAxis], _ goal: TuneGoal, countsFront: Bool
  ) {
    let settings = table.candidates.indices
    var (front, fit, chosen) = (
      [Int](repeating: 0, count: settings.count), [Int](repeating: 0, count: settings.count),
      [Int](repeating: 0, count: settings.count)
    )
    let steps = weighed.map(goal.step)
    let columns = weighed.map { drawn[$0]! }
    let budgeted = goal.budgets.keys.compactMap { axis in drawn[axis].map { (axis, $0) } }
    for draw in 0..<draws.count {
      let points = settings.map { index in
        zip(weighed, columns).map { axis, column in column[index][draw].map(axis.shortfall) }
      }
      guard points.contains(where: { $0.allSatisfy { $0 != nil } }) else { continue }
      used += 1
      var best: (index: Int, distance: Double)?
      let members = countsFront ? ParetoFront.members(of: points, steps: steps) : []
      for index in settings {
        if countsFront, members[index] { front[index] += 1 }
        let held = Dictionary(
          uniqueKeysWithValues: budgeted.compactMap { axis, column in
            column[index][draw].map { (axis, $0) }
          })
        guard goal.excess(held) == 0 else { continue }
        fit[index] += 1
        var distance = 0.0
        var isWhole = true
        for (axis, shortfall) in zip(weighed, points[index]) {
          if let shortfall { distance += shortfall / goal.scale(axis) } else { isWhole = false }
        }
        if isWhole, distance < best?.distance ?? .infinity { best = (index, distance) }
      }
      if let best { chosen[best.index] += 1 }
    }
    guard used > 0 else { return }
    func share(_ counts: [Int]) -> [Double] { counts.map { Double($0) / Double(used) } }
    (frontShare, fitShare, chosenShare) = (
      countsFront ? share(front) : nil, share(fit), share(chosen)
    )
  }

  /// Returns the figures of one setting by axis name.
  func figures(_ index: Int, _ table: TuneTable) -> [String: TuneAnswer.Figure] {
    var figures: [String: TuneAnswer.Figure] = [:]
    for axis in table.metrics.keys {
      guard let value = table.median(axis, index) else { continue }
      guard table.constants[axis] == nil else {
        figures[axis.rawValue] = .init(
          value: value, recordings: 0, note: "measured on a probe: no interval over voices")
        continue
      }
      let defined = table.values[axis]![index].count { $0 != nil }
      var figure = TuneAnswer.Figure(value: value, recordings: defined)
      do {
        figure.interval = try draws.interval(of: drawn[axis]![index], recordings: defined)
      } catch { figure.note = "\(error)" }
      figures[axis.rawValue] = figure
    }
    return figures
  }
}
