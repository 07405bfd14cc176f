import Corpus
import DSP
import Files
import Metrics
import Statistics
import Subjects
import Sweep

/// Compares the settings of a run and recommends one.
///
/// Everything is resampled by recording, with the same recordings for all settings
/// (`RecordingDraws`).
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

    public init(id: String, kind: String, voice: String, medianF0Hz: Double? = nil) {
      (self.id, self.kind, self.voice, self.medianF0Hz) = (id, kind, voice, medianF0Hz)
    }

    /// The register in which its voice mostly sings.
    var register: String? {
      medianF0Hz.map { RecordingFacts.Register(medianF0Hz: $0).rawValue }
    }
  }

  public let goal: TuneGoal
  public let facts: [Fact]
  private let bootstrap: ClusterBootstrap.Settings
  /// True if the number of draws may be reduced.
  private let drawsAreFree: Bool

  public init(
    _ goal: TuneGoal, facts: [Fact], bootstrap: ClusterBootstrap.Settings? = nil
  ) throws(SettingsError) {
    try goal.validate()
    var settings = bootstrap ?? ClusterBootstrap.Settings()
    // Medians have no second-order correction: leaving one out hardly moves them.
    settings.method = .percentile
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

  public func answer(for cells: [CellResult]) -> TuneAnswer {
    let table = TuneTable(cells, axes: goal.allAxes)
    let weighed = goal.axes.filter { table.metrics[$0] != nil }
    let draws = DrawnTable(table, weighed: weighed, goal: goal, settings(for: table))
    let front = members(of: table, weighed)
    var points = table.candidates.indices.map { index in
      point(index, table, draws, isOnFront: front[index], weighed)
    }
    addLaws(to: &points, table, cells)
    let ranks = points.indices.map { goal.rank(table.medians($0), over: weighed) }
    let best = Self.best(ranks)
    let fits = best.map { points[$0].fits } ?? false
    return TuneAnswer(
      axes: goal.allAxes.compactMap { axis in
        table.metrics[axis].map {
          .init(
            axis: axis, metric: $0, unit: axis.unit, ideal: axis.ideal, scale: goal.scale(axis),
            isWeighed: goal.axes.contains(axis))
        }
      },
      undefinedAxes: table.missing.named, budgets: goal.budgets.named, points: points,
      recommended: fits ? best : nil, nearestMiss: fits ? nil : best,
      misses: fits ? [:] : best.map { misses(table.medians($0)) } ?? [:],
      draws: draws.count, drawsUsed: draws.used, recordings: table.recordings,
      groups: groups(table), sensitivity: sensitivity(of: table))
  }

  /// Returns the order of preference, with settings that lack a figure last.
  func order(of cells: [CellResult], _ candidates: [SettingChoice]) -> [Int] {
    let table = TuneTable(cells, axes: goal.allAxes)
    // An axis counts only if every setting has a value on it.
    let shared = goal.axes.filter { axis in
      table.candidates.indices.allSatisfy { table.median(axis, $0) != nil }
    }
    let places = Dictionary(uniqueKeysWithValues: zip(table.candidates, table.candidates.indices))
    let ranks = candidates.map { candidate in
      places[candidate].flatMap { goal.rank(table.medians($0), over: shared) }
    }
    return candidates.indices.sorted { a, b in
      switch (ranks[a], ranks[b]) {
      case (let first?, let second?): first == second ? a < b : first < second
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): a < b
      }
    }
  }

  private static func best(_ ranks: [TuneGoal.Rank?]) -> Int? {
    ranks.indices.filter { ranks[$0] != nil }.min { ranks[$0]! < ranks[$1]! }
  }

  private func members(of table: TuneTable, _ weighed: [TuneAxis]) -> [Bool] {
    guard !weighed.isEmpty else { return table.candidates.map { _ in false } }
    return ParetoFront.members(
      of: table.candidates.indices.map { index in
        weighed.map { axis in table.median(axis, index).map(axis.shortfall) }
      }, steps: weighed.map(goal.step))
  }

  private func point(
    _ index: Int, _ table: TuneTable, _ draws: DrawnTable, isOnFront: Bool, _ weighed: [TuneAxis]
  ) -> TuneAnswer.Point {
    let (candidate, medians) = (table.candidates[index], table.medians(index))
    var undefined: [String: Undefined] = [:]
    for axis in table.metrics.keys where medians[axis] == nil {
      undefined[axis.rawValue] =
        table.reasons[axis]?[index] ?? Undefined(.notMeasured, "it was not measured")
    }
    return TuneAnswer.Point(
      subject: candidate.subject, settings: candidate.settings,
      figures: draws.figures(index, table), undefined: undefined, isOnFront: isOnFront,
      frontShare: draws.frontShare?[index], fits: goal.excess(medians) == 0,
      fitShare: draws.fitShare?[index], distance: goal.distance(medians, over: weighed),
      chosenShare: draws.chosenShare?[index])
  }

  private func misses(_ values: [TuneAxis: Double]) -> [String: Double] {
    var misses: [TuneAxis: Double] = [:]
    for (axis, budget) in goal.budgets {
      guard let value = values[axis] else { continue }
      let over = axis == .intelligibility ? budget - value : value - budget
      if over > 0 { misses[axis] = over }
    }
    return misses.named
  }

  private func sensitivity(of table: TuneTable) -> [String: SettingSensitivity] {
    var all: [String: SettingSensitivity] = [:]
    for axis in table.metrics.keys {
      let known = table.candidates.indices.filter { table.median(axis, $0) != nil }
      let settings = known.map { index in
        table.candidates[index].settings.merging(
          ["subject": .text(table.candidates[index].subject)]) { own, _ in own }
      }
      all[axis.rawValue] = SettingSensitivity(
        of: settings, known.map { table.median(axis, $0)! })
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
    return by("voice") { ["unknown", "none", ""].contains($0.voice) ? nil : $0.voice }
      + by("kind", \.kind) + by("register", \.register)
  }

  private func group(
    _ by: String, _ name: String, _ ids: Set<String>, _ whole: TuneTable
  ) -> TuneAnswer.Group {
    let table = TuneTable(whole, keeping: ids)
    let weighed = goal.axes.filter { table.metrics[$0] != nil }
    let draws = DrawnTable(
      table, weighed: weighed, goal: goal, settings(for: table), countsFront: false)
    let ranks = table.candidates.indices.map { goal.rank(table.medians($0), over: weighed) }
    let best = Self.best(ranks)
    let left = goal.axes.filter { !weighed.contains($0) }.map(\.rawValue)
    return TuneAnswer.Group(
      by: by, name: name, recordings: table.recordings,
      chosen: best,
      fits: best.map { goal.excess(table.medians($0)) == 0 } ?? false,
      figures: best.map { draws.figures($0, table) } ?? [:],
      chosenShare: best.flatMap { draws.chosenShare?[$0] },
      note: left.isEmpty ? nil : "without " + left.joined(separator: " and ") + ", undefined here")
  }

  // MARK: - Laws

  /// Adds the latency by the engine's law, over the recordings on which it was measured.
  private func addLaws(
    to points: inout [TuneAnswer.Point], _ table: TuneTable, _ cells: [CellResult]
  ) {
    guard table.metrics[.latency] != nil else { return }
    let notes = Dictionary(facts.map { ($0.id, $0.medianF0Hz) }) { first, _ in first }
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
        var laws: [Double] = []
        for (column, id) in table.recordings.enumerated() {
          // The law is averaged over the same recordings as the measurement.
          guard table.values[.latency]?[index][column] != nil, let note = notes[id] ?? nil,
            let law = try predicted(note)
          else { continue }
          laws.append(law)
        }
        points[index].predictedLatencyMs = Statistics.median(laws)
      } catch { points[index].noLaw = error.description }
    }
  }
}

extension [TuneAxis: Double] {
  var named: [String: Double] {
    [String: Double](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}

extension [TuneAxis: Undefined] {
  var named: [String: Undefined] {
    [String: Undefined](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
