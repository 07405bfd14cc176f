import Statistics

/// One fault of a subject: a sound that shows it, and the simplest that does.
public struct HuntFinding: Sendable {
  public let kind: FaultKind
  /// The sound as it was found.
  public let before: Judgement
  /// The simplest sound.
  public let after: Judgement
  /// Severity of the worst sound of this kind.
  public let worstSeverity: Double
  /// Share of ordinary performances that show this kind.
  public let rate: Proportion?
  /// Faults of this kind per minute of ordinary singing.
  public let perMinute: Double?
  /// Severity of this kind on plain performances, 0 if they lack it.
  public let plainSeverity: Double

  public var first: HuntFault { before.fault(kind)! }
  public var fault: HuntFault { after.fault(kind)! }
}

extension Hunt {
  /// Sounds of each kind that are shrunk; different causes of one kind give different recipes.
  private static let causes = 3

  /// Shrinks what was caught, and groups it by kind, the kind with the worst fault first. After the
  /// task is cancelled, the rest is given as it was found.
  ///
  /// - Parameters:
  ///   - kinds: those to shrink; others are left out.
  ///   - show: called with each kind before it is shrunk.
  public func findings(
    in caught: JudgedSounds, of kinds: Set<FaultKind> = Set(FaultKind.allCases),
    _ show: (FaultKind) -> Void
  ) async -> [HuntFinding] {
    var findings: [HuntFinding] = []
    for kind in FaultKind.allCases where kinds.contains(kind) && caught.worst(kind) != nil {
      if !Task.isCancelled { show(kind) }
      findings += await self.findings(kind, in: caught)
    }
    let worst = Dictionary(grouping: findings, by: \.kind).mapValues { group in
      group.map(\.worstSeverity).max() ?? 0
    }
    return findings.sorted {
      (worst[$0.kind]!, -$0.after.point.awayCount) > (worst[$1.kind]!, -$1.after.point.awayCount)
    }
  }

  private func findings(_ kind: FaultKind, in caught: JudgedSounds) async -> [HuntFinding] {
    // What plain performances show as much is no news.
    let plainSeverity = bench.plain.severities[kind] ?? 0
    let confirmed = caught.confirmed(kind).filter { $0.fault(kind)!.severity > plainSeverity }
    guard let worst = confirmed.first else { return [] }
    // The simplest, which may have other causes, and the worst.
    let simple = confirmed.sorted { $0.point.awayCount < $1.point.awayCount }
    let candidates = simple.prefix(Self.causes).filter { $0.point != worst.point } + [worst]
    var found: [HuntFinding] = []
    for candidate in candidates {
      // A cause that is known needs no second recipe.
      guard !found.contains(where: { $0.after.point.isWithin(candidate.point) }) else { continue }
      let hasSimple = found.contains { $0.after.point.awayCount <= Shrinking.maxParameters }
      let shrinking = Shrinking(
        kind: kind, jobs: settings.jobs, combines: !hasSimple, beyond: plainSeverity
      ) {
        [bench] in bench.judge($0)
      }
      let after = await shrinking.shrunk(candidate)
      guard !found.contains(where: { $0.after.point.keys == after.point.keys }) else { continue }
      let rate = caught.rate(kind)
      found.append(
        HuntFinding(
          kind: kind, before: candidate, after: after,
          worstSeverity: max(worst.fault(kind)!.severity, after.fault(kind)!.severity), rate: rate,
          perMinute: rate.map { Double($0.successes) / max(caught.ordinaryMinutes, 1e-9) },
          plainSeverity: plainSeverity))
    }
    // What can't be made simple tells less than what can.
    let simplest = found.filter { $0.after.point.awayCount <= Shrinking.maxParameters }
    return simplest.isEmpty ? Array(found.prefix(1)) : simplest
  }
}

extension HuntPoint {
  /// True if another point has all that sets this one apart.
  fileprivate func isWithin(_ other: HuntPoint) -> Bool {
    !values.isEmpty && values.allSatisfy { other.values[$0.key] == $0.value }
      && settings.allSatisfy { other.settings[$0.key] == $0.value }
  }
}
