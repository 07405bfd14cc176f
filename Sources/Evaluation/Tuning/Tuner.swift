import Corpus
import DSP
import Metrics
import Platform
import Statistics
import Subjects
import Sweep

/// Compares the settings of a run by `TuneRule` and recommends one.
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
    public var durationSeconds: Double?
    /// Class without a condition, on which metrics have grades; `nil` if it is unknown.
    public var recordingClass: RecordingClass?

    public init(
      id: String, kind: String, voice: String, medianF0Hz: Double? = nil,
      durationSeconds: Double? = nil, recordingClass: RecordingClass? = nil
    ) {
      (self.id, self.kind, self.voice, self.medianF0Hz) = (id, kind, voice, medianF0Hz)
      (self.durationSeconds, self.recordingClass) = (durationSeconds, recordingClass)
    }

    /// The register in which its voice mostly sings.
    var register: String? {
      medianF0Hz.map { RecordingFacts.Register(medianF0Hz: $0).rawValue }
    }
  }

  public let goal: TuneGoal
  public let facts: [Fact]

  public init(_ goal: TuneGoal, facts: [Fact]) throws(SettingsError) {
    try goal.validate()
    (self.goal, self.facts) = (goal, facts)
  }

  /// Number of bootstrap draws: 2000, fewer for a large table, which takes long to draw and is better
  /// known. At least 200 remain; their standard error of an interval's end is 1.1 % of the draws.
  private func draws(for table: TuneTable) -> Int {
    let size = table.candidates.count * table.metrics.count * table.recordings.count
    return min(2000, max(200, 20_000_000 / max(1, size)))
  }

  /// - Parameter compared: settings that may be recommended; the others only tell which voices can be
  ///   kept. `nil` is all.
  public func answer(
    for cells: [CellResult], comparing compared: Set<SettingChoice>? = nil
  ) -> TuneAnswer {
    let task = SharedTask(cells)
    let table = TuneTable(task.cells, goal: goal, facts: facts)
    let figures = TuneFigures(table, goal)
    let rule = TuneRule(figures, goal, comparing: compared)
    let standings = rule.standings(table.once)
    let draws = RecordingDraws(
      strata: table.strata.map(\.columns), recordings: table.recordings.count,
      draws: draws(for: table))
    let hasDraws = table.recordings.count >= Statistics.minSpreadCount
    let shares = hasDraws ? draws.shares(of: rule) : nil
    let front = ParetoFront.members(of: standings)
    let points = table.candidates.indices.map { row in
      var point = point(row, rule, standings[row], draws)
      point.isOnFront = front[row]
      (point.frontShare, point.fitShare) = (shares?.front[row], shares?.eligible[row])
      point.chosenShare = shares?.chosen[row]
      if table.metrics[.latency] != nil { point.impulseLatencyMs = table.impulseLatencyMs[row] }
      return point
    }
    let alike = rule.best(of: standings)
    let best = alike.first
    let isServed = best.map { standings[$0].isEligible } ?? false
    return TuneAnswer(
      axes: goal.allAxes.compactMap { axis in
        table.metrics[axis].map {
          .init(
            axis: axis, metric: $0, unit: axis.unit, ideal: axis.ideal, scale: goal.scale(axis),
            isWeighed: rule.weighed.contains(axis))
        }
      },
      undefinedAxes: undefined(table, rule).named, budgets: goal.budgets.named,
      points: points, leftOut: task.leftOut, failedRecordings: table.failedRecordings,
      recommended: isServed ? best : nil, alike: Array(alike.dropFirst()),
      nearestMiss: isServed ? nil : best,
      misses: isServed ? [:] : best.map { misses($0, figures) } ?? [:],
      draws: draws.times.count, drawsUsed: shares?.used ?? 0, recordings: table.recordings,
      served: goal.served, lostLimitPercent: goal.lostLimitPercent,
      unkept: rule.unkept(table.once), groups: groups(rule, best),
      limits: limits(figures, compared, best),
      unheardSettings: UnheardSetting.all(of: points, levelsDb: table.levelsDb))
  }

  /// Returns the order of preference in a search, in which some figures are still to come: settings
  /// that lack an axis take the worst of the others. Those that have no figure are last.
  func order(of cells: [CellResult], _ candidates: [SettingChoice]) -> [Int] {
    let table = TuneTable(SharedTask(cells).cells, goal: goal, facts: facts)
    let figures = TuneFigures(table, goal)
    var known = goal
    let weighed = Set(TuneRule(figures, goal).weighed)
    known.budgets = goal.budgets.filter { weighed.contains($0.key) || !goal.axes.contains($0.key) }
    let all = TuneRule(figures, known).standings(table.once)
    let ranks = Dictionary(
      uniqueKeysWithValues: table.candidates.indices.compactMap { row in
        let isKnown = goal.axes.contains { table.isMeasured($0, row) }
        return isKnown && all[row].total.isFinite ? (table.candidates[row], all[row]) : nil
      })
    return candidates.indices.sorted { a, b in
      switch (ranks[candidates[a]], ranks[candidates[b]]) {
      case (let first?, let second?): first < second || !(second < first) && a < b
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): a < b
      }
    }
  }

  /// Returns the registers of recordings in which a setting has no cell.
  package func unheardRegisters(of choice: SettingChoice, in cells: [CellResult]) -> [String] {
    let known = facts.keyed(by: \.id).compactMapValues(\.register)
    let heard = Set(cells.filter { SettingChoice($0) == choice }.compactMap { known[$0.recording] })
    return facts.compactMap(\.register).uniqued().filter { !heard.contains($0) }
  }

  // MARK: - Points

  private func point(
    _ row: Int, _ rule: TuneRule, _ standing: TuneRule.Standing, _ draws: RecordingDraws
  ) -> TuneAnswer.Point {
    let table = rule.figures.table
    let measured = table.metrics.keys.filter { table.isMeasured($0, row) }
    let missing = table.metrics.keys.filter { !measured.contains($0) }
    let faults = rule.weighed.filter(\.isAudible)
    func reason(_ axis: TuneAxis) -> Undefined {
      table.reasons[axis]?[row] ?? Undefined(.notMeasured, "it was not measured")
    }
    let isMeasured = rule.weighed.allSatisfy(measured.contains)
    return TuneAnswer.Point(
      subject: table.candidates[row].subject, settings: table.candidates[row].settings,
      figures: Dictionary(
        uniqueKeysWithValues: measured.map { ($0, figure($0, row, rule, table.once, draws)) }
      ).named,
      undefined: Dictionary(uniqueKeysWithValues: missing.map { ($0, reason($0)) }).named,
      fits: rule.fits[row], losses: rule.losses(of: row, table.once),
      faults: faults.isEmpty || !faults.allSatisfy(measured.contains)
        ? nil : standing.coordinates[0],
      distance: isMeasured && !rule.weighed.isEmpty ? standing.total : nil,
      heard: faults.compactMap { axis in
        rule.figures.measured(axis, row).flatMap { Fault(axis, $0, goal, table.recordings) }
      }.sorted { $0.units > $1.units },
      sameAs: table.firstEqual[row] == row ? nil : table.firstEqual[row])
  }

  private func figure(
    _ axis: TuneAxis, _ row: Int, _ rule: TuneRule, _ times: [Int], _ draws: RecordingDraws
  ) -> TuneAnswer.Figure {
    let table = rule.figures.table
    let found = rule.figures.figure(axis, row, times)!
    let isOfProbe = axis == .latency && table.areProbed[row]
    let defined =
      isOfProbe
      ? 0 : times.indices.count { times[$0] > 0 && table.readings[axis]![row][$0]?.measured != nil }
    var figure = TuneAnswer.Figure(
      value: found.value, typical: table.median(axis, row), units: goal.units(axis, found.value),
      recordings: defined, voice: found.voice,
      recording: found.column.map { table.recordings[$0] }, register: found.register)
    figure.isAssumed = found.isAssumed
    if found.isAssumed {
      figure.measured = axis.isAudible ? rule.figures.measured(axis, row)?.value : nil
      let place = figure.recording.map { "on \($0)" } ?? figure.register.map { "in \($0) voices" }
      figure.note = "not measured \(place ?? "there"), so ranked as the worst of the other settings"
    } else if found.isElsewhere {
      figure.note = "of other recordings, since it is undefined here"
    } else if isOfProbe {
      figure.note = "measured on a probe: no interval over voices"
    } else if !axis.isAudible {
      do {
        let drawn = try draws.interval(recordings: defined) {
          rule.figures.figure(axis, row, $0)?.value
        }
        // The worst of several registers' medians may lie beyond the quantiles of the draws.
        figure.interval = min(drawn.lowerBound, found.value)...max(drawn.upperBound, found.value)
      } catch { figure.note = "\(error)" }
    }
    return figure
  }

  private func undefined(_ table: TuneTable, _ rule: TuneRule) -> [TuneAxis: Undefined] {
    let missing = goal.allAxes.filter { table.metrics[$0] == nil }.map { axis in
      (
        axis,
        table.reasons[axis]?.compactMap(\.self).first
          ?? Undefined(.notMeasured, "no cell measured " + axis.metrics.joined(separator: " or "))
      )
    }
    let rare = goal.axes.filter { table.metrics[$0] != nil && !rule.weighed.contains($0) }.map {
      ($0, Undefined(.notMeasured, "fewer than half of the settings have it, so it is not weighed"))
    }
    return Dictionary(uniqueKeysWithValues: missing + rare)
  }

  private func misses(_ row: Int, _ figures: TuneFigures) -> [String: Double] {
    let misses = goal.budgets.map { axis, budget in
      let value =
        figures.table.isMeasured(axis, row)
        ? figures.budgeted(axis, row, figures.table.once) : nil
      return (axis, value.map { axis.excess($0, over: budget) } ?? 0)
    }
    return Dictionary(uniqueKeysWithValues: misses.filter { $0.1 > 0 }).named
  }

  // MARK: - Limits and groups

  /// Common limits of latency.
  private static let limitsMs = [5.0, 10, 15, 20, 30, 50]

  /// Returns what would be recommended under each limit within which a setting is.
  ///
  /// - Parameter preferred: the setting without a limit, which stays as long as it is eligible.
  private func limits(
    _ figures: TuneFigures, _ compared: Set<SettingChoice>?, _ preferred: Int?
  ) -> [TuneAnswer.Limit] {
    guard goal.axes.contains(.latency), figures.table.metrics[.latency] != nil else { return [] }
    return Self.limitsMs.compactMap { limitMs in
      var limited = goal
      limited.budgets[.latency] = min(limitMs, goal.budgets[.latency] ?? limitMs)
      let rule = TuneRule(figures, limited, comparing: compared)
      let standings = rule.standings(figures.table.once)
      let same = preferred.flatMap { standings[$0].isEligible ? $0 : nil }
      guard let best = same ?? rule.best(of: standings).first, rule.fits[best] else {
        return nil
      }
      return TuneAnswer.Limit(
        latencyMs: limitMs, chosen: best, losses: rule.losses(of: best, figures.table.once))
    }
  }

  /// Returns the answer for each register, voice and kind of recording. One recording alone names
  /// no setting: what is best for it need not be so for another of its kind.
  ///
  /// - Parameter preferred: the setting for all, which stays unless another is noticeably better.
  private func groups(_ rule: TuneRule, _ preferred: Int?) -> [TuneAnswer.Group] {
    let known = facts.filter { rule.figures.table.recordings.contains($0.id) }
    func by(_ name: String, _ part: (Fact) -> String?) -> [TuneAnswer.Group] {
      known.compactMap(part).uniqued().sorted().map { value in
        group(name, value, Set(known.filter { part($0) == value }.map(\.id)), rule, preferred)
      }
    }
    return by("register", \.register)
      + by("voice") { ["unknown", "none", ""].contains($0.voice) ? nil : $0.voice }
      + by("kind", \.kind)
  }

  private func group(
    _ by: String, _ name: String, _ ids: Set<String>, _ rule: TuneRule, _ preferred: Int?
  ) -> TuneAnswer.Group {
    let table = rule.figures.table
    let times = table.recordings.map { ids.contains($0) ? 1 : 0 }
    let recordings = table.recordings.filter(ids.contains)
    var group = TuneAnswer.Group(
      by: by, name: name, recordings: recordings, fits: false, losses: [],
      unkept: rule.unkept(times), figures: [:])
    guard recordings.count > 1 else {
      group.note = "one recording can't choose; add others of its kind"
      return group
    }
    let rule = rule.restricted(to: Set(times.indices.filter { times[$0] > 0 }))
    let standings = rule.standings(times)
    let alike = rule.best(of: standings)
    guard let best = alike.first(where: { $0 == preferred }) ?? alike.first else { return group }
    let draws = RecordingDraws(
      strata: rule.strata.map(\.columns),
      recordings: table.recordings.count, draws: draws(for: table))
    if recordings.count >= Statistics.minSpreadCount {
      group.chosenShare = draws.shares(of: rule, countsFront: false)?.chosen[best]
    }
    (group.chosen, group.fits) = (best, rule.fits[best])
    group.losses = rule.losses(of: best, times)
    let measured = table.metrics.keys.filter { table.isMeasured($0, best) }
    group.figures =
      Dictionary(
        uniqueKeysWithValues: measured.map { ($0, figure($0, best, rule, times, draws)) }
      ).named
    let figures = rule.weighed.map { ($0.rawValue, rule.figures.figure($0, best, times)) }
    let notes = [
      ("undefined here, so of other recordings: ", figures.filter { $0.1?.isElsewhere == true }),
      (
        "not measured here, so ranked as the worst of the other settings: ",
        figures.filter { $0.1?.isAssumed == true }
      ),
    ].filter { !$0.1.isEmpty }.map { $0 + $1.map(\.0).joined(separator: ", ") }
    group.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
    return group
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
      let known = entry.isProbe ? nil : try? cache.facts(of: entry, in: self)
      return Tuner.Fact(
        id: id, kind: entry.kind, voice: entry.voice, medianF0Hz: known?.medianF0Hz,
        durationSeconds: known?.durationSeconds, recordingClass: classes[id])
    }
    cache.save()
    return facts
  }
}
