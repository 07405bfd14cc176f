import Files
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
      let draws = draws
      drawn[axis] = Array(table.candidates.indices).concurrentMap { index in
        if let constants = table.constants[axis] {
          return Array(repeating: constants[index], count: draws.count)
        }
        if let figure = table.figure(axis, index), figure.isElsewhere {
          return Array(repeating: figure.value, count: draws.count)
        }
        return Self.figures(axis, table.readings[axis]![index].map { $0?.value }, goal, draws)
      }
    }
    guard table.recordings.count >= ClusterBootstrap.fewestClusters, !weighed.isEmpty else {
      return
    }
    count(weighed, goal, service, settings: table.candidates.count, countsFront: countsFront)
  }

  /// Returns the figure of each draw as `TuneTable.figure` defines it.
  private static func figures(
    _ axis: TuneAxis, _ values: [Double?], _ goal: TuneGoal, _ draws: RecordingDraws
  ) -> [Double?] {
    guard axis.isHeard else { return draws.worst(of: values, .median) }
    // Shortfalls order values from the best to the worst, whichever direction is better.
    let sign = axis.ideal == 0 ? 1.0 : -1
    let drawn = draws.worst(
      of: values.map { $0.map(axis.shortfall) }, .ranked { goal.rank(of: $0) })
    return drawn.map { $0.map { axis.ideal + sign * $0 } }
  }

  /// What one draw says of the settings.
  private struct Verdict: Sendable {
    var front: [Bool]
    var fit: [Int]
    var chosen: Int?
  }

  private mutating func count(
    _ weighed: [TuneAxis], _ goal: TuneGoal, _ service: Service, settings: Int, countsFront: Bool
  ) {
    let steps = DrawnSteps(drawn, weighed, goal, settings: settings)
    let draws = draws
    let verdicts = Array(0..<draws.count).concurrentMap { draw -> Verdict? in
      let points = steps.coordinates(inDraw: draw)
      guard points.hasWhole else { return nil }
      var verdict = Verdict(
        front: countsFront ? ParetoFront.members(of: points, step: TuneGoal.smallestStep) : [],
        fit: [])
      var least = Double.infinity
      for index in 0..<settings {
        guard steps.fits(index, inDraw: draw),
          service.isServed(by: index, times: { draws.times($0, in: draw) })
        else { continue }
        verdict.fit.append(index)
        guard let distance = points.total(index), distance < least else { continue }
        (verdict.chosen, least) = (index, distance)
      }
      return verdict
    }.compactMap(\.self)
    used = verdicts.count
    guard used > 0 else { return }
    var (front, fit, chosen) = (
      [Int](repeating: 0, count: settings), [Int](repeating: 0, count: settings),
      [Int](repeating: 0, count: settings)
    )
    for verdict in verdicts {
      for index in verdict.front.indices where verdict.front[index] { front[index] += 1 }
      for index in verdict.fit { fit[index] += 1 }
      if let index = verdict.chosen { chosen[index] += 1 }
    }
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
