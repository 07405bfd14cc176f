import Statistics

/// The table of settings under repeated resampling of its recordings.
struct DrawnTable {
  /// Share of draws in which each setting is on the front; `nil` if there are too few recordings.
  private(set) var frontShare: [Double]?
  /// Share of draws in which each setting is within all budgets and serves every register.
  private(set) var fitShare: [Double]?
  /// Share of draws in which each setting is recommended.
  private(set) var chosenShare: [Double]?
  /// Number of draws; `used` counts those in which some setting has all figures.
  let count: Int
  private(set) var used = 0

  private let draws: RecordingDraws
  /// Resampled figures by axis, setting and draw.
  private var drawn: [TuneAxis: [[Double?]]] = [:]

  /// - Parameter countsFront: true to compute `frontShare`, which takes most of the time.
  init(
    _ table: TuneTable, weighed: [TuneAxis], goal: TuneGoal, service: Service,
    _ settings: ClusterBootstrap.Settings, countsFront: Bool = true
  ) {
    draws = RecordingDraws(strata: table.strata.map(\.columns), settings: settings)
    count = draws.count
    for axis in table.metrics.keys {
      drawn[axis] = table.candidates.indices.map { index in
        if let constants = table.constants[axis] {
          return Array(repeating: constants[index], count: draws.count)
        }
        let values = table.readings[axis]![index].map { $0?.value }
        if let figure = table.figure(axis, index), figure.isElsewhere {
          return Array(repeating: figure.value, count: draws.count)
        }
        return figures(axis, values, goal)
      }
    }
    guard table.recordings.count >= ClusterBootstrap.fewestClusters, !weighed.isEmpty else {
      return
    }
    count(table, weighed, goal, service, countsFront: countsFront)
  }

  /// Returns the figure of each draw as `TuneTable.figure` defines it.
  private func figures(_ axis: TuneAxis, _ values: [Double?], _ goal: TuneGoal) -> [Double?] {
    guard axis.isHeard else { return draws.worst(of: values, RecordingDraws.median) }
    // Shortfalls order values from the best to the worst, whichever direction is better.
    let sign = axis.ideal == 0 ? 1.0 : -1
    return draws.worst(of: values.map { $0.map(axis.shortfall) }) { sorted, times in
      let total = times.reduce(0, +)
      return total == 0
        ? nil : RecordingDraws.value(at: goal.rank(of: total) - 1, sorted, times)
    }.map { $0.map { axis.ideal + sign * $0 } }
  }

  private mutating func count(
    _ table: TuneTable, _ weighed: [TuneAxis], _ goal: TuneGoal, _ service: Service,
    countsFront: Bool
  ) {
    let settings = table.candidates.indices
    var (front, fit, chosen) = (
      [Int](repeating: 0, count: settings.count), [Int](repeating: 0, count: settings.count),
      [Int](repeating: 0, count: settings.count)
    )
    for draw in 0..<draws.count {
      let held = settings.map { index in
        Dictionary(
          uniqueKeysWithValues: drawn.compactMap { axis, column in
            column[index][draw].map { (axis, $0) }
          })
      }
      let points = held.map { goal.coordinates($0, over: weighed) }
      guard points.contains(where: { $0.allSatisfy { $0 != nil } }) else { continue }
      used += 1
      let members = countsFront ? ParetoFront.members(of: points, step: TuneGoal.smallestStep) : []
      var best: (index: Int, distance: Double)?
      for index in settings {
        if countsFront, members[index] { front[index] += 1 }
        guard goal.excess(held[index]) == 0,
          service.isServed(by: index, times: { draws.times($0, in: draw) })
        else { continue }
        fit[index] += 1
        guard let distance = goal.distance(held[index], over: weighed) else { continue }
        if distance < best?.distance ?? .infinity { best = (index, distance) }
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
  func figures(
    _ index: Int, _ table: TuneTable, _ goal: TuneGoal
  ) -> [String: TuneAnswer.Figure] {
    var figures: [String: TuneAnswer.Figure] = [:]
    for axis in table.metrics.keys {
      guard let found = table.figure(axis, index) else { continue }
      let defined = table.readings[axis]?[index].count { $0 != nil } ?? 0
      var figure = TuneAnswer.Figure(
        value: found.value, typical: table.median(axis, index),
        units: goal.units(axis, found.value), recordings: defined, voice: found.voice,
        recording: found.column.map { table.recordings[$0] }, register: found.register)
      if found.isElsewhere {
        figure.note = "of other recordings, since it is undefined here"
      } else if table.constants[axis] != nil {
        figure.note = "measured on a probe: no interval over voices"
      } else if !axis.isHeard {
        do {
          figure.interval = try draws.interval(of: drawn[axis]![index], recordings: defined)
        } catch { figure.note = "\(error)" }
      }
      figures[axis.rawValue] = figure
    }
    return figures
  }
}
