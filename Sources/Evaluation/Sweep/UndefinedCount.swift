import Metrics

/// Number of times that a metric had no value for one reason.
public struct UndefinedCount: Codable, Equatable, Sendable {
  public var metric: String
  /// The reason of one of the cells; those of the others differ by numbers only.
  public var reason: Undefined
  public var count: Int
  /// True if no subject could have given it a value.
  public var doesNotApply: Bool { reason.doesNotApply }
}

/// Adds up reasons by metric and code.
struct UndefinedCounter {
  private struct Key: Hashable {
    var metric: String
    var code: Undefined.Code
  }

  private var known: [Key: UndefinedCount] = [:]

  /// Metrics that are tried on probes only.
  private static let ofProbes = ["latency.impulse", "latency.report_error", "contract."]

  /// Leaves out two gaps that every run has: probes have no voice, and voices have no impulses.
  mutating func note(_ metric: String, _ reason: Undefined, isProbe: Bool, count: Int = 1) {
    guard isProbe == Self.ofProbes.contains(where: metric.hasPrefix) else { return }
    let key = Key(metric: metric, code: reason.code)
    var found = known[key] ?? UndefinedCount(metric: metric, reason: reason, count: 0)
    // The example doesn't depend on the order of cells.
    if reason.detail < found.reason.detail { found.reason = reason }
    found.count += count
    known[key] = found
  }

  /// Gaps that a subject could have filled come first, then those that it could not; within each, the
  /// most frequent first.
  var counts: [UndefinedCount] {
    known.values.sorted {
      ($0.doesNotApply ? 1 : 0, -$0.count, $0.metric, $0.reason.detail)
        < ($1.doesNotApply ? 1 : 0, -$1.count, $1.metric, $1.reason.detail)
    }
  }
}
