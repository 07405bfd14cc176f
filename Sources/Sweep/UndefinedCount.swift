import Metrics

/// Which measurements had no value, and why.
public struct UndefinedCount: Codable, Equatable, Sendable {
  public var metric: String
  public var reason: String
  public var count: Int
  /// Whether no subject could have given it a value: the recording or the score leaves nothing to
  /// measure.
  public var isByNature: Bool

  /// The reason with `#` for each number, which is of one case.
  public var kind: String { Self.kind(of: reason) }

  static func kind(of reason: String) -> String { reason.replacing(/\d+(\.\d+)?/, with: "#") }
}

/// Brings reasons together that differ by numbers only, which are of one case: the kind of reason
/// counts.
struct UndefinedCounter {
  private var known: [String: UndefinedCount] = [:]
  private var kinds: [String: String] = [:]

  /// Leaves out that probes have no voice, and voices no impulses.
  mutating func note(_ metric: String, _ reason: String, isProbe: Bool, count: Int = 1) {
    guard isProbe == metric.hasPrefix("latency.impulse") else { return }
    let kind = kinds[reason] ?? UndefinedCount.kind(of: reason)
    kinds[reason] = kind
    var found =
      known[metric + kind]
      ?? UndefinedCount(
        metric: metric, reason: reason, count: 0, isByNature: NaturalGap.explains(reason))
    // Whichever comes first in the order of words speaks for all, in whatever order they come.
    found.reason = min(found.reason, reason)
    found.count += count
    known[metric + kind] = found
  }

  /// First those that tell of trouble, then those by nature, each with the most frequent first.
  var counts: [UndefinedCount] {
    known.values.sorted {
      ($0.isByNature ? 1 : 0, -$0.count, $0.metric, $0.reason)
        < ($1.isByNature ? 1 : 0, -$1.count, $1.metric, $1.reason)
    }
  }
}
