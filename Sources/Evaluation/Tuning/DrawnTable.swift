import Platform
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
  /// Resampled latency and cost, by axis, setting and draw.
  private let paid: [TuneAxis: [[Double?]]]

  /// - Parameter countsFront: true to compute `frontShare`.
  init(
    _ table: TuneTable, weighed: [TuneAxis], goal: TuneGoal, service: Service,
    _ settings: ClusterBootstrap.Settings, countsFront: Bool = true
  ) {
    let draws = RecordingDraws(strata: table.strata.map(\.columns), settings: settings)
    (self.draws, count) = (draws, draws.count)
    let figures = DrawnFigures(table, goal, draws)
    let axes = table.metrics.keys.filter { !$0.isAudible || goal.budgets[$0] != nil }
    let drawn = Dictionary(uniqueKeysWithValues: axes.map { ($0, figures.all($0)) })
    paid = drawn.filter { !$0.key.isAudible }
    guard table.recordings.count >= ClusterBootstrap.minClusters, !weighed.isEmpty else {
      return
    }
    let faults = figures.faults(over: weighed.filter(\.isAudible))
    count(
      DrawnSteps(faults, drawn, weighed, goal, settings: table.candidates.count), service,
      countsFront: countsFront)
  }

  /// Settings that are on the front, fit and are chosen in one draw.
  private struct Verdict: Sendable {
    var front: [Bool]
    var fit: [Bool]
    var chosen: Int?
  }

  private mutating func count(_ steps: DrawnSteps, _ service: Service, countsFront: Bool) {
    let (draws, settings) = (draws, steps.settings)
    let verdicts = Array(0..<draws.count).concurrentMap { draw -> Verdict? in
      let points = steps.coordinates(inDraw: draw)
      guard points.hasWhole else { return nil }
      var verdict = Verdict(
        front: countsFront ? ParetoFront.members(of: points, step: TuneGoal.smallestStep) : [],
        fit: [Bool](repeating: false, count: settings))
      var least = Double.infinity
      for index in 0..<settings {
        guard steps.fits(index, inDraw: draw),
          service.isServed(by: index, times: { draws.times($0, in: draw) })
        else { continue }
        verdict.fit[index] = true
        guard let distance = points.total(index), distance < least else { continue }
        (verdict.chosen, least) = (index, distance)
      }
      return verdict
    }.compactMap(\.self)
    used = verdicts.count
    guard used > 0 else { return }
    func share(_ holds: (Verdict, _ index: Int) -> Bool) -> [Double] {
      (0..<settings).map { index in
        Double(verdicts.count { holds($0, index) }) / Double(verdicts.count)
      }
    }
    if countsFront { frontShare = share { $0.front[$1] } }
    (fitShare, chosenShare) = (share { $0.fit[$1] }, share { $0.chosen == $1 })
  }

  /// Returns the figures of one setting by axis name.
  func figures(
    _ index: Int, _ table: TuneTable, _ goal: TuneGoal
  ) -> [String: TuneAnswer.Figure] {
    var figures: [String: TuneAnswer.Figure] = [:]
    for axis in table.metrics.keys {
      guard let found = table.figure(axis, index) else { continue }
      let defined = table.readings[axis]?[index].count { $0?.own != nil } ?? 0
      var figure = TuneAnswer.Figure(
        value: found.value, typical: table.median(axis, index),
        units: goal.units(axis, found.value), recordings: defined, voice: found.voice,
        recording: found.column.map { table.recordings[$0] }, register: found.register)
      figure.isAssumed = found.isAssumed
      if found.isAssumed {
        figure.note = "undefined there, so taken to be as bad as the worst of the other settings"
      } else if found.isElsewhere {
        figure.note = "of other recordings, since it is undefined here"
      } else if table.constants[axis] != nil {
        figure.note = "measured on a probe: no interval over voices"
      } else if !axis.isAudible {
        do {
          let drawn = try draws.interval(of: paid[axis]![index], recordings: defined)
          // The worst of several registers' medians may lie beyond the quantiles of the draws.
          figure.interval = min(drawn.lowerBound, found.value)...max(drawn.upperBound, found.value)
        } catch { figure.note = "\(error)" }
      }
      figures[axis.rawValue] = figure
    }
    return figures
  }
}
