import Statistics

/// One fault of a subject: the worst sound that was found, and the simplest that shows it.
public struct HuntFinding: Sendable {
  public let kind: FaultKind
  /// The worst sound.
  public let before: Judgement
  /// The simplest sound.
  public let after: Judgement
  /// Share of ordinary performances that show this kind.
  public let rate: Proportion?
  /// Faults of this kind per minute of ordinary singing.
  public let perMinute: Double?
  /// Severity of this kind on plain performances, 0 if they lack it.
  public let plainSeverity: Double

  public var worst: HuntFault { before.fault(kind)! }
  public var fault: HuntFault { after.fault(kind)! }
}

extension Hunt {
  /// Sounds of each kind that are shrunk; different causes of one kind give different recipes.
  private static let causes = 3

  /// Shrinks what was caught, and groups it by kind, the worst first.
  ///
  /// - Parameter show: is told each kind before it is shrunk.
  public func findings(in caught: Catch, _ show: (FaultKind) -> Void) async -> [HuntFinding] {
    var findings: [HuntFinding] = []
    for kind in FaultKind.allCases {
      let confirmed = caught.confirmed(kind)
      guard let worst = confirmed.first else { continue }
      show(kind)
      // The worst, and the simplest, which may have other causes.
      let simple = confirmed.filter { $0.point != worst.point }
        .sorted { $0.point.awayCount < $1.point.awayCount }
      var found: [HuntFinding] = []
      for candidate in [worst] + simple.prefix(Self.causes - 1) {
        // A cause that is known needs no second recipe.
        guard !found.contains(where: { $0.after.point.isWithin(candidate.point) }) else { continue }
        let shrinking = Shrinking(kind: kind, jobs: settings.jobs) { [bench] in bench.judge($0) }
        let after = await shrinking.shrunk(candidate)
        guard !found.contains(where: { $0.after.point.keys == after.point.keys }) else { continue }
        let rate = caught.rate(kind)
        found.append(
          HuntFinding(
            kind: kind, before: candidate, after: after, rate: rate,
            perMinute: rate.map { Double($0.successes) / max(caught.ordinaryMinutes, 1e-9) },
            plainSeverity: bench.usual.severities[kind] ?? 0))
      }
      findings += found
    }
    return findings.sorted { $0.worst.severity > $1.worst.severity }
  }
}

extension HuntPoint {
  /// True if another point has all that sets this one apart.
  fileprivate func isWithin(_ other: HuntPoint) -> Bool {
    !values.isEmpty && values.allSatisfy { other.values[$0.key] == $0.value }
      && settings.allSatisfy { other.settings[$0.key] == $0.value }
  }
}
