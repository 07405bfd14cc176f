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
  private static let mostOfFew = 0.05

  private var baseline: [Double] = []
  private var candidate: [Double] = []
  /// Takes under the same inaudible change in which the candidate is worse, and those in which it is
  /// better.
  private var (worse, better) = (0, 0)

  mutating func add(baseline: [Double], candidate: [Double], changes: [Double]) {
    self.baseline += baseline
    self.candidate += candidate
    worse += changes.count { $0 > 0 }
    better += changes.count { $0 < 0 }
  }

  /// True if the candidate's takes are worse than the baseline's by more than chance: by their ranks,
  /// or take by take. Few takes must lie apart entirely.
  var areWorse: Bool {
    if let ranks = RankSumTest(candidate, above: baseline),
      ranks.pValue <= Self.limit(ranks.leastPValue)
    {
      return true
    }
    guard worse > 0 else { return false }
    let all = worse + better
    return Proportion(worse, of: all).pValue(above: 0.5)
      <= Self.limit(Proportion(all, of: all).pValue(above: 0.5))
  }

  private static func limit(_ least: Double) -> Double {
    // The last bits of both p-values differ.
    max(level, min(least * (1 + 1e-9), mostOfFew))
  }
}
