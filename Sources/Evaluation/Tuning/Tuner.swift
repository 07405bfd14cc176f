import Corpus
import DSP
import Metrics
import Platform
import Statistics
import Subjects
import Sweep

/// Compares the settings of a run and recommends one.
///
/// Everything is resampled by recording within its register, with the same recordings for all
/// settings (`RecordingDraws`).
///
/// - Cost: draws × settings × axes × recordings; the shares of the front cost draws × settings ×
///   settings on the front.
public struct Tuner: Sendable {
  /// Facts about a recording besides its cells.
  public struct Fact: Sendable {
    public var id: String
    public var kind: String
    public var voice: String
    /// Median over voiced sound; `nil` if there is none or it is unknown.
    public var medianF0Hz: Double?
    /// Class without a condition, on which metrics have grades; `nil` if it is unknown.
    public var recordingClass: RecordingClass?

    public init(
      id: String, kind: String, voice: String, medianF0Hz: Double? = nil,
      recordingClass: RecordingClass? = nil
    ) {
      (self.id, self.kind, self.voice, self.medianF0Hz) = (id, kind, voice, medianF0Hz)
      self.recordingClass = recordingClass
    }

    /// The register in which its voice mostly sings.
    var register: String? {
      medianF0Hz.map { RecordingFacts.Register(medianF0Hz: $0).rawValue }
    }
  }

  public private(set) var goal: TuneGoal
  public let facts: [Fact]
  private let bootstrap: ClusterBootstrap.Settings
  /// True if the number of draws may be reduced.
  private let drawsAreFree: Bool

  public init(
    _ goal: TuneGoal, facts: [Fact], bootstrap: ClusterBootstrap.Settings? = nil
  ) throws(SettingsError) {
    try goal.validate()
    let settings = bootstrap ?? ClusterBootstrap.Settings()
    try settings.validate()
    (self.goal, self.facts, self.bootstrap) = (goal, facts, settings)
    drawsAreFree = bootstrap == nil
  }

  /// Reduces the draws for a large table, which takes long to draw and is better known. At least
  /// 200 remain; their standard error of an interval's end is 1.1 % of the draws.
  private func settings(for table: TuneTable) -> ClusterBootstrap.Settings {
    guard drawsAreFree else { return bootstrap }
    let size = table.candidates.count * table.metrics.count * table.recordings.count
    var settings = bootstrap
    settings.draws = min(bootstrap.draws, max(200, 40_000_000 / max(1, size)))
    return settings
  }

  /// Register of each recording, by id.
  private var registers: [String: String] { facts.keyed(by: \.id).compactMapValues(\.register) }

  /// Class of each recording, by id.
  private var classes: [String: RecordingClass] {
    facts.keyed(by: \.id).compactMapValues(\.recordingClass)
  }

  /// - Parameter kept: recordings on which a setting that is not in `cells` loses no voice.
  public func answer(
    for cells: [CellResult], keptByOthers kept: Set<String> = []
  ) -> TuneAnswer {
    let task = SharedTask(cells)
    let table = table(of: task.cells, keptByOthers: kept)
    let judged = judged(table)
    let front = ParetoFront.members(
      of: table.candidates.indices.map { goal.coordinates(table.values($0), over: judged.weighed) },
      step: TuneGoal.smallestStep)
    let draws = draws(table, judged)
    var points = table.candidates.indices.map { index in
      point(index, table, draws, isOnFront: !judged.weighed.isEmpty && front[index], judged)
    }
    addLaws(to: &points, table, task.cells)
    let best = judged.best
    let isServed = best.map { points[$0].fits && points[$0].losses.isEmpty } ?? false
    return TuneAnswer(
      axes: goal.allAxes.compactMap { axis in
        table.metrics[axis].map {
          .init(
            axis: axis, metric: $0, unit: axis.unit, ideal: axis.ideal, scale: goal.scale(axis),
            isWeighed: goal.axes.contains(axis))
        }
      },
      undefinedAxes: table.missing.named, budgets: goal.budgets.named,
      weights: goal.weights, points: points,
      leftOut: task.leftOut,
      recommended: isServed ? best : nil, nearestMiss: isServed ? nil : best,
      misses: isServed ? [:] : best.map { misses(table.values($0)) } ?? [:],
      draws: draws.count, drawsUsed: draws.used, recordings: table.recordings,
      served: goal.served, lostLimitPercent: goal.lostLimitPercent, unkept: judged.service.unkept,
      groups: groups(table), limits: limits(table),
      sensitivity: sensitivity(of: table))
  }

  /// The settings of a table in order of preference.
  private struct Judged {
    /// Axes that count and have a metric.
    var weighed: [TuneAxis]
    var service: Service
    var ranks: [TuneGoal.Rank?]
    var best: Int? {
      ranks.indices.filter { ranks[$0] != nil }.min { ranks[$0]! < ranks[$1]! }
    }
  }

  private func judged(_ table: TuneTable) -> Judged {
    let values = table.candidates.indices.map { table.values($0) }
    let weighed = goal.axes.filter { table.metrics[$0] != nil }
    let service = Service(table, goal: goal, fits: values.map { goal.excess($0) == 0 })
    let ranks = table.candidates.indices.map { index in
      goal.rank(
        values[index], servesAll: service.losses(of: index).isEmpty, over: weighed)
    }
    return Judged(weighed: weighed, service: service, ranks: ranks)
  }

  private func draws(
    _ table: TuneTable, _ judged: Judged, countsFront: Bool = true
  ) -> DrawnTable {
    DrawnTable(
      table, weighed: judged.weighed, goal: goal, service: judged.service, settings(for: table),
      countsFront: countsFront)
  }

  private func table(of cells: [CellResult], keptByOthers kept: Set<String> = []) -> TuneTable {
    TuneTable(cells, goal: goal, registers: registers, classes: classes, keptByOthers: kept)
  }

  /// Returns the recordings on which every setting within the budgets loses a voice.
  func unkept(_ cells: [CellResult]) -> [String] {
    judged(table(of: SharedTask(cells).cells)).service.unkept
  }

  /// Returns the recordings on which some setting within the budgets loses no voice.
  func kept(by cells: [CellResult]) -> Set<String> {
    let table = table(of: SharedTask(cells).cells)
    return judged(table).service.kept
  }

  /// Returns the registers of recordings in which a setting has no cell.
  package func unheardRegisters(of choice: SettingChoice, in cells: [CellResult]) -> [String] {
    let known = registers
    let heard = Set(cells.filter { SettingChoice($0) == choice }.compactMap { known[$0.recording] })
    return facts.compactMap(\.register).uniqued().filter { !heard.contains($0) }
  }

  /// Returns the order of preference in a search, in which some figures are still to come: an axis
  /// is weighed if half as many settings have it as have the best known one, and a setting that lacks
  /// it takes the worst of the others. Settings that have no figure or can't be recommended are last.
  func order(of cells: [CellResult], _ candidates: [SettingChoice]) -> [Int] {
    let table = table(of: SharedTask(cells).cells)
    let own = table.candidates.indices.map { table.values($0) }
    func values(_ axis: TuneAxis) -> [Double] { own.compactMap { $0[axis] } }
    let most = goal.allAxes.map { values($0).count }.max() ?? 0
    let known = Set(goal.allAxes.filter { 2 * values($0).count >= max(1, most) })
    var goal = goal
    goal.axes = goal.axes.filter(known.contains)
    goal.budgets = goal.budgets.filter { known.contains($0.key) }
    let worst = Dictionary(
      uniqueKeysWithValues: known.map { axis in
        (axis, values(axis).max { axis.shortfall($0) < axis.shortfall($1) }!)
      })
    let filled = own.map { $0.merging(worst) { own, _ in own } }
    let service = Service(table, goal: goal, fits: filled.map { goal.excess($0) == 0 })
    var ranks: [SettingChoice: TuneGoal.Rank] = [:]
    for (index, candidate) in table.candidates.enumerated()
    where !own[index].isEmpty && !table.isUnplayable(index) {
      ranks[candidate] = goal.rank(
        filled[index], servesAll: service.losses(of: index).isEmpty, over: goal.axes)
    }
    return candidates.indices.sorted { a, b in
      switch (ranks[candidates[a]], ranks[candidates[b]]) {
      case (let first?, let second?): first == second ? a < b : first < second
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): a < b
      }
    }
  }

  private func point(
    _ index: Int, _ table: TuneTable, _ draws: DrawnTable, isOnFront: Bool, _ judged: Judged
  ) -> TuneAnswer.Point {
    let (candidate, values) = (table.candidates[index], table.values(index))
    var undefined: [String: Undefined] = [:]
    for axis in table.metrics.keys where values[axis] == nil {
      undefined[axis.rawValue] =
        table.reasons[axis]?[index] ?? Undefined(.notMeasured, "it was not measured")
    }
    let figures = draws.figures(index, table, goal)
    return TuneAnswer.Point(
      subject: candidate.subject, settings: candidate.settings, figures: figures,
      undefined: undefined, isOnFront: isOnFront, frontShare: draws.frontShare?[index],
      fits: goal.excess(values) == 0, losses: judged.service.losses(of: index),
      fitShare: draws.fitShare?[index], faults: goal.faults(values, over: judged.weighed),
      distance: goal.distance(values, over: judged.weighed),
      heard: Fault.heard(judged.weighed, figures), chosenShare: draws.chosenShare?[index],
      sameAs: table.firstEqual[index] == index ? nil : table.firstEqual[index])
  }

  /// Common limits of latency.
  private static let limitsMs = [5.0, 10, 15, 20, 30, 50]

  /// Returns what would be recommended under each limit within which a setting is.
  private func limits(_ table: TuneTable) -> [TuneAnswer.Limit] {
    guard goal.axes.contains(.latency), table.metrics[.latency] != nil else { return [] }
    return Self.limitsMs.compactMap { limitMs in
      var limited = self
      limited.goal.budgets[.latency] = min(limitMs, goal.budgets[.latency] ?? limitMs)
      let judged = limited.judged(table)
      guard let best = judged.best, judged.ranks[best]?.excess == 0 else { return nil }
      return TuneAnswer.Limit(
        latencyMs: limitMs, chosen: best, losses: judged.service.losses(of: best))
    }
  }

  private func misses(_ values: [TuneAxis: Double]) -> [String: Double] {
    let misses = goal.budgets.map { axis, budget in
      (axis, values[axis].map { axis.excess($0, over: budget) } ?? 0)
    }
    return Dictionary(uniqueKeysWithValues: misses.filter { $0.1 > 0 }).named
  }

  private func sensitivity(of table: TuneTable) -> [String: SettingSensitivity] {
    var all: [String: SettingSensitivity] = [:]
    for axis in table.metrics.keys {
      let known = table.candidates.indices.filter { table.value(axis, $0) != nil }
      let settings = known.map { index in
        table.candidates[index].settings.merging(
          ["subject": .text(table.candidates[index].subject)]) { own, _ in own }
      }
      all[axis.rawValue] = SettingSensitivity(of: settings, known.map { table.value(axis, $0)! })
    }
    return all
  }

  // MARK: - Groups of recordings

  private func groups(_ whole: TuneTable) -> [TuneAnswer.Group] {
    let known = facts.filter { whole.recordings.contains($0.id) }
    func by(_ name: String, _ part: (Fact) -> String?) -> [TuneAnswer.Group] {
      let names = known.compactMap(part).uniqued().sorted()
      return names.map { value in
        group(name, value, Set(known.filter { part($0) == value }.map(\.id)), whole)
      }
    }
    return by("register", \.register)
      + by("voice") { ["unknown", "none", ""].contains($0.voice) ? nil : $0.voice }
      + by("kind", \.kind)
  }

  private func group(
    _ by: String, _ name: String, _ ids: Set<String>, _ whole: TuneTable
  ) -> TuneAnswer.Group {
    let table = TuneTable(whole, keeping: ids)
    let judged = judged(table)
    let draws = draws(table, judged, countsFront: false)
    let best = judged.best
    let notes = best.map { best in
      [
        ("undefined here, so of other recordings: ", table.borrowed(by: best)),
        ("undefined here, so as bad as the worst of the other settings: ", table.assumed(by: best)),
      ].filter { !$0.1.isEmpty }.map { $0 + $1.map(\.rawValue).joined(separator: ", ") }
    }
    return TuneAnswer.Group(
      by: by, name: name, recordings: table.recordings, chosen: best,
      fits: best.map { goal.excess(table.values($0)) == 0 } ?? false,
      losses: best.map { judged.service.losses(of: $0) } ?? [], unkept: judged.service.unkept,
      figures: best.map { draws.figures($0, table, goal) } ?? [:],
      chosenShare: best.flatMap { draws.chosenShare?[$0] },
      note: notes.flatMap { $0.isEmpty ? nil : $0.joined(separator: "; ") })
  }

  // MARK: - Laws

  /// Adds the latency by the engine's law, as that of the recordings on which it was measured: the
  /// median of the worst register.
  private func addLaws(
    to points: inout [TuneAnswer.Point], _ table: TuneTable, _ cells: [CellResult]
  ) {
    guard table.metrics[.latency] != nil else { return }
    let notes = facts.keyed(by: \.id)
    let scores = cells.map(\.score).reduce(into: [Score]()) { known, score in
      if !known.contains(score) { known.append(score) }
    }
    for index in points.indices {
      let candidate = table.candidates[index]
      points[index].impulseLatencyMs = table.impulseLatencyMs[index]
      do throws(LatencyLaw.Unknown) {
        let law = try LatencyLaw(subject: candidate.subject, settings: candidate.settings)
        func predicted(_ noteHz: Double?) throws(LatencyLaw.Unknown) -> Double? {
          var all: [Double] = []
          for score in scores {
            all.append(try law.predictedMs(score: score, noteHz: noteHz))
          }
          return Statistics.median(all)
        }
        if table.impulseLatencyMs[index] != nil {
          points[index].predictedImpulseLatencyMs = try predicted(nil)
        }
        var worst: [Double] = []
        for (_, columns) in table.strata {
          var laws: [Double] = []
          for column in columns where table.readings[.latency]?[index][column]?.own != nil {
            guard let note = notes[table.recordings[column]]?.medianF0Hz,
              let law = try predicted(note)
            else { continue }
            laws.append(law)
          }
          if let median = Statistics.median(laws) { worst.append(median) }
        }
        points[index].predictedLatencyMs = worst.max()
      } catch { points[index].noLaw = error.description }
    }
  }
}

extension Dictionary where Key == TuneAxis {
  var named: [String: Value] {
    [String: Value](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}

extension Corpus {
  /// Returns the facts that `Tuner` needs; a recording whose sound can't be read has no pitch.
  public func facts(of ids: [String]) throws -> [Tuner.Fact] {
    let classes = classes(of: ids)
    var cache = RecordingFactsCache(beside: self)
    let facts = try ids.map { id in
      let entry = try entry(id: id)
      let known = entry.kind == "probe" ? nil : try? cache.facts(of: entry, in: self)
      return Tuner.Fact(
        id: id, kind: entry.kind, voice: entry.voice, medianF0Hz: known?.medianF0Hz,
        recordingClass: classes[id])
    }
    cache.save()
    return facts
  }
}
