import Statistics

/// The losses of one figure in one recording, take by take on both sides.
///
/// A median can move although no take is new: where half of the takes lie in one cluster and half in
/// another, it falls into either. A single recording, or a few, are therefore worse only if their takes
/// lie apart as well.
struct RecordingTakes: Sendable {
  /// Probability that chance alone sets the takes of a recording apart.
  static let level = 1e-4
  /// The same for takes that are too few to reach it.
  private static let maxOfFew = 0.05

  private var baseline: [Double] = []
  private var candidate: [Double] = []
  /// Losses of the candidate less those of the baseline under the same inaudible change.
  private var changes: [Double] = []

  mutating func add(baseline: [Double], candidate: [Double], changes: [Double]) {
    self.baseline += baseline
    self.candidate += candidate
    self.changes += changes
  }

  /// Returns the takes of several recordings as those of one, less the baseline's median of each.
  static func pooled(_ recordings: [RecordingTakes]) -> RecordingTakes {
    recordings.reduce(into: RecordingTakes()) { all, one in
      let middle = Statistics.median(one.baseline) ?? 0
      all.add(
        baseline: one.baseline.map { $0 - middle }, candidate: one.candidate.map { $0 - middle },
        changes: one.changes)
    }
  }

  /// Returns true if the candidate's takes are worse than the baseline's by more than `amount`, and not by
  /// chance: by their ranks, or take by take. Few takes must lie apart entirely.
  func areWorse(by amount: Double) -> Bool {
    if let ranks = RankSumTest(candidate.map { $0 - amount }, above: baseline),
      ranks.pValue <= Self.limit(ranks.minPValue)
    {
      return true
    }
    let worse = changes.count { $0 >= amount }
    guard worse > 0 else { return false }
    let all = Proportion(changes.count, of: changes.count)
    return Proportion(worse, of: changes.count).pValue(above: 0.5)
      <= Self.limit(all.pValue(above: 0.5))
  }

  private static func limit(_ least: Double) -> Double {
    // The last bits of both p-values differ.
    max(level, min(least * (1 + 1e-9), maxOfFew))
  }
}
