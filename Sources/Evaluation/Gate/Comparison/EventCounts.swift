import Statistics

/// The rare events of one figure, counted over all recordings and takes.
///
/// A take of a recording counts if it has more events than the baseline's take under the same inaudible
/// change, or fewer. If only chance makes the events, either is as likely, whatever their rate; so the
/// number of takes with more is binomial, given the number of those that differ. Several events of one
/// take count once, because one bad passage makes many.
///
/// - Source: McNemar, "Note on the sampling error of the difference between correlated proportions or
///   percentages", 1947, in the exact form.
struct EventCounts: Sendable {
  /// Takes with more events, by recording.
  private(set) var moreByRecording: [String: Int] = [:]
  /// Number of takes with fewer events.
  private(set) var fewer = 0
  /// Number of takes that both sides have.
  private(set) var takes = 0

  /// Number of takes with more events.
  var more: Int { moreByRecording.values.reduce(0, +) }

  /// Adds the takes of one cell.
  ///
  /// - Parameters:
  ///   - changes: events of the candidate less those of the baseline, take by take.
  ///   - effect: change from which a take counts.
  mutating func add(_ changes: [Double], in recording: String, effect: Double) {
    takes += changes.count
    fewer += changes.count { $0 <= -effect }
    let more = changes.count { $0 >= effect }
    if more > 0 { moreByRecording[recording, default: 0] += more }
  }

  /// Probability that chance alone gives as many takes with more events, or more of them.
  var pValue: Double { more == 0 ? 1 : Proportion(more, of: more + fewer).pValue(above: 0.5) }

  /// The counts in words.
  var reason: String {
    "more events in \(more) of \(takes) takes" + (fewer > 0 ? ", fewer in \(fewer)" : "")
  }
}
