import DSP
import Gate
import Statistics

/// Gates of a random subject, each with a baseline and a candidate that are drawn from its renderings.
struct DrawnGates {
  let pool: RenderingPool
  let faulty: RenderingPool
  /// Recordings of each gate.
  let recordings: Int
  /// Title of the cause that a gate must name first of the faulty subject.
  let cause: String

  /// The outcomes of all gates.
  fileprivate struct Counts {
    var alarms = 0
    var unmeasured = 0
    var refusals = 0
    var found = 0
    var named = 0
    /// Gates that needed more than one take of the unchanged subject.
    var suspicious = 0
    var failures: [String] = []
  }

  /// - Throws: `GatePairsError.tooFew` if the pool is too small.
  func lines(gates: Int, seed: UInt64) throws -> [String] {
    guard pool.count >= 2 else {
      throw GatePairsError.tooFew(what: "renderings", needed: 2, found: pool.count)
    }
    guard pool.recordings.count >= recordings else {
      throw GatePairsError.tooFew(
        what: "recordings", needed: recordings, found: pool.recordings.count)
    }
    var random = SeededGenerator(seed: seed)
    var counts = Counts()
    for number in 1...gates { try judge(number, &random, &counts) }
    func share(_ words: String, _ count: Int, of all: Int) -> String {
      let interval = Proportion(count, of: all).clopperPearson()
      let percent = [interval.lowerBound, interval.upperBound].map {
        "\((1000 * $0).rounded() / 10)"
      }
      return "\(words): \(count) of \(all), 95 % [\(percent.joined(separator: ", ")) %]"
    }
    return [
      share("accept refused", counts.refusals, of: gates),
      share("nothing changed, said regression", counts.alarms, of: gates - counts.refusals),
      share("nothing changed, could not measure", counts.unmeasured, of: gates - counts.refusals),
      share("nothing changed, measured all takes", counts.suspicious, of: gates - counts.refusals),
      share("faulty, found", counts.found, of: gates - counts.refusals),
      share("faulty, '\(cause)' named first", counts.named, of: gates - counts.refusals),
    ] + counts.failures
  }

  private func judge(_ number: Int, _ random: inout SeededGenerator, _ counts: inout Counts) throws
  {
    let names = Set(pool.recordings.shuffled(using: &random).prefix(recordings))
    var (before, after, faulty): ([MeasuredRun], [MeasuredRun], [MeasuredRun]) = ([], [], [])
    var second: MeasuredRun?
    for take in 0..<pool.takes {
      // With two renderings, the second one of `accept` is the candidate's.
      let runs = pool.runs(of: names, take: take, count: 3) {
        let order = Array(0..<pool.count).shuffled(using: &random)
        return [order[0], order[1], order[order.count - 1]]
      }
      before.append(runs[0])
      after.append(runs[1])
      if take == 0 { second = runs[2] }
      faulty += self.faulty.runs(of: names, take: take, count: 1) {
        [Int.random(in: 0..<self.faulty.count, using: &random)]
      }
    }
    let accepted: Acceptance
    do {
      let differing = try Acceptance.differingFigures(before[0], second!, gate: pool.gate)
      let takes = Array(before.dropFirst())
      accepted = try Acceptance(
        of: before[0], takes: takes, over: nil, gate: pool.gate,
        noise: GateNoise(takes, of: pool.gate.comparedMetrics, differingFigures: differing),
        all: false, reason: "trial")
    } catch {
      counts.refusals += 1
      counts.failures.append("gate \(number): accept refused: \(error)")
      return
    }
    let judge = GateJudge(
      pool.gate, baseline: accepted.baseline, noise: accepted.noise, explainOptions: "")
    func result(_ takes: [MeasuredRun]) throws -> GateResult {
      let isSuspicious = try !judge.perturbations(for: takes[0]).isEmpty
      return try judge.result(of: takes[0], takes: isSuspicious ? Array(takes.dropFirst()) : [])
    }
    let unchanged = try result(after)
    if unchanged.takes > 1 { counts.suspicious += 1 }
    if unchanged.outcome() == .regression { counts.alarms += 1 }
    if unchanged.outcome() == .notMeasured { counts.unmeasured += 1 }
    if unchanged.outcome() != .pass { counts.note(number, "nothing changed", unchanged) }
    let changed = try result(faulty)
    let isNamed = changed.causes.first?.title == cause
    if changed.outcome() == .regression { counts.found += 1 }
    if isNamed { counts.named += 1 }
    if !isNamed { counts.note(number, "faulty", changed) }
  }
}

extension DrawnGates.Counts {
  fileprivate mutating func note(_ number: Int, _ what: String, _ result: GateResult) {
    let problems = result.findings.filter { [.notComparable, .missingCell].contains($0.kind) }
      .prefix(3).map { "\($0.subject): \($0.message)" }
    let nearest = what == "faulty" ? [result.nearestFigure].compactMap(\.self) : []
    failures.append(
      "gate \(number), \(what): \(result.outcome().rawValue) by \(result.takes) takes: "
        + (result.causesInWords + problems + nearest).joined(separator: "; "))
  }
}

extension GateResult {
  /// The figure that came nearest to a regression, with its change and its limit.
  fileprivate var nearestFigure: String? {
    func reach(_ found: MetricDifference) -> Double {
      (found.effects ?? 0) / max(1, found.pValue / 0.005)
    }
    guard let found = comparison?.differences.max(by: { reach($0) < reach($1) }) else { return nil }
    return
      "nearest is \(found.key) by \(found.worsening ?? 0) ± \(found.error), p \(found.pValue), "
      + "n = \(found.recordings): \(found.reason)"
  }
}
