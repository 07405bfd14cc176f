import CommandSupport
import Foundation
import Platform
import Reporting
import Tuning

/// The listening test and its result in words.
enum ListenText {
  static func made(_ test: ListeningTest, in folder: URL) -> String {
    let systems = test.systems.map { "  \($0.label)" }.joined(separator: "\n")
    let repeats = test.trials.count { $0.repeats != nil }
    return """
      \(test.title): \(test.method.rawValue), \(counted(test.systems.count, "setting")) on \
      \(counted(test.clips.count, "clip"))
      \(systems)
      \(counted(test.trials.count, "trial"))\(repeats > 0 ? ", \(repeats) of them repeated" : ""), about \
      \(counted(Int(test.minutes.rounded(.up)), "minute"))

      for listeners  \(folder.relativePath)/\(ListeningTest.pageFolder)/index.html, with its folder
      for yourself   \(folder.relativePath)/\(ListeningTest.keyFile)
      """
  }

  static func pooled(_ pooled: PooledAnswers, _ test: ListeningTest) -> String {
    [
      "\(test.title): \(counted(pooled.listeners.count, "listener")), "
        + "\(counted(test.clips.count, "clip")), \(counted(pooled.answers, "answered trial"))",
      fewClips(test), scores(pooled), differences(pooled, test), power(pooled),
      metrics(pooled, test),
      excluded(pooled),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// A caution about too few clips; empty with enough of them, and of pairs, which hold for their clips.
  private static func fewClips(_ test: ListeningTest) -> String {
    guard test.method != .pairs, test.clips.count < minClips else { return "" }
    return test.clips.count == 1
      ? "One clip: the scores and intervals hold for this clip alone."
      : "Only \(test.clips.count) clips: too few to say how other clips would be judged, so the "
        + "intervals are very wide. Take at least \(minClips)."
  }

  /// Number of clips from which their differences are known well enough: with three degrees of freedom
  /// an interval is 3.2 standard errors wide on each side, with one 12.7.
  private static let minClips = 4

  private static func scores(_ pooled: PooledAnswers) -> String {
    TextTable(header: ["place", "setting", unit(pooled), "95 %"], of: pooled.scores) {
      [$0.place.map(String.init) ?? "", $0.label, format($0.score, 1), interval($0.interval)]
    }.text()
  }

  private static func unit(_ pooled: PooledAnswers) -> String {
    pooled.method == .pairs ? "preferred %" : "points"
  }

  private static func interval(_ range: ClosedRange<Double>) -> String {
    "[\(format(range.lowerBound, 1)), \(format(range.upperBound, 1))]"
  }

  private static func differences(_ pooled: PooledAnswers, _ test: ListeningTest) -> String {
    guard !pooled.differences.isEmpty else { return "" }
    let header = ["better", "than", "by", "95 %", "p, corrected", ""]
    let sorted = pooled.differences.sorted { $0.pValue < $1.pValue }
    return TextTable(header: header, of: sorted) {
      [
        test.systems[$0.better].label, test.systems[$0.worse].label, format($0.difference, 1),
        interval($0.interval), $0.pValue < 0.0001 ? "< 0.0001" : format($0.pValue, 4),
        $0.pValue < 0.05 ? "heard" : "not told apart",
      ]
    }.text()
  }

  private static func power(_ pooled: PooledAnswers) -> String {
    let points = pooled.method == .pairs ? "points of preference" : "points"
    let needed =
      pooled.listenersForTenPoints.map {
        "A difference of 10 \(points) needs \($0) such listeners."
      }
      ?? "No number of listeners would find a difference of 10 \(points): the clips differ too much; "
      + "take more clips."
    return
      "With these listeners, a difference of \(format(pooled.smallestDifference, 1)) \(points) is found "
      + "with a probability of 80 %. \(needed)"
  }

  /// The metrics that agree best and worst.
  private static func metrics(_ pooled: PooledAnswers, _ test: ListeningTest) -> String {
    guard !pooled.metrics.isEmpty else { return "" }
    let most = 10
    let shown =
      pooled.metrics.count > 2 * most
      ? Array(pooled.metrics.prefix(most)) + Array(pooled.metrics.suffix(most)) : pooled.metrics
    let table = TextTable(header: ["metric", "agreement", "range", "clips"], of: shown) {
      let range = "\(format($0.range.lowerBound, 2)) to \(format($0.range.upperBound, 2))"
      return [$0.metric, format($0.agreement, 2), range, "\($0.clips)"]
    }
    let left = pooled.metrics.count - shown.count
    let byChance = MetricAgreement.byChance(
      systems: test.systems.count, clips: pooled.metrics.map(\.clips).max()!)
    return
      "Metrics that order the choirs of a clip as the listeners do (1: the same order, -1: turned)\n\n"
      + table.text()
      + (left > 0 ? "\n\n\(left) metrics between these are left out; --json has all." : "")
      + "\n\nOf unrelated metrics one in twenty reaches \(format(byChance, 2)) by chance."
  }

  private static func excluded(_ pooled: PooledAnswers) -> String {
    pooled.excluded.map { "left out: \($0.listener), because \($0.reason)" }.joined(separator: "\n")
  }
}
