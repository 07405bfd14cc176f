import CommandSupport
import Foundation
import Probes
import Reporting

/// The findings of a hunt, and those of a replay, for a terminal.
enum HuntText {
  static func text(_ result: HuntResult, _ page: HuntPage) -> String {
    let head =
      "\(result.subject) \(result.version): \(result.sounds) sounds judged, "
      + "\(result.ordinary) of them ordinary singing of "
      + "\(format(result.ordinaryMinutes, 1)) minutes"
    var parts = [head] + [result.lapsesInWords, result.plain.formantsInWords].compactMap(\.self)
    parts += result.findings.enumerated().map { text($1, at: $0 + 1, page) }
    if result.findings.isEmpty {
      parts.append(
        "Nothing audible was found that two judges agree on. A longer hunt (--minutes) may still "
          + "find something.")
    }
    parts += result.robustness.enumerated().map { index, one in
      """
      As a host treats it: \(one.finding.problem.fault.rawValue)
         found      \(one.finding.problem.words), in \(one.finding.count) of \
      \(one.finding.sessions) sessions
         session    \(one.finding.session.words)
         replay     \(page.replay(index + 1, "session"))
      """
    }
    return (parts + ["page: \(page.folder)/index.html"]).joined(separator: "\n\n")
  }

  private static func text(
    _ finding: HuntResult.Finding, at place: Int, _ page: HuntPage
  ) -> String {
    let title = "\(place). \(finding.kind.rawValue)"
    return """
      \(title)
      \(heard(finding))
         how often  \(finding.rateInWords)
         recipe     \(finding.after.sound)\(finding.remark)
         replay     \(page.replay(place))
      """
  }

  /// The fault as one hears it, and how bad it is; a failure gives no sound to weigh.
  private static func heard(_ finding: HuntResult.Finding) -> String {
    guard finding.kind != .failure else { return "   it says    \(finding.after.words)" }
    return """
         one hears  \(finding.after.words), at \(format(finding.after.atSeconds, 2)) s
         severity   \(format(finding.after.severity, 1)) times the threshold of hearing \
      (\(format(finding.kind.threshold, 0)) \(finding.kind.unit)); at worst \
      \(format(finding.finding.worstSeverity, 1)), on plain performances \
      \(format(finding.finding.plainSeverity, 1))
      """
  }

  static func text(_ replay: HuntReplay) -> String {
    let recipe = replay.recipe
    var table = TextTable(header: ["", "then", "now"])
    table.rows = [
      ["fault", recipe.found.words, replay.now?.words ?? "gone"],
      [
        "amount, \(recipe.fault.unit)", format(recipe.found.amount, 2),
        format(replay.now?.amount, 2),
      ],
      [
        "severity, thresholds", format(recipe.found.severity, 2),
        format(replay.now?.severity, 2),
      ],
      ["input", "", replay.isSameInput ? "the same to the bit" : "differs"],
      ["output", "", replay.isSameOutput ? "the same to the bit" : "differs"],
    ]
    let others = replay.judgement.faults.filter { $0.kind != recipe.fault }
      .map { "\($0.kind.rawValue): \($0.words)" }
    return "\(recipe.subject), \(recipe.sound.words)\n\n\(table.text())"
      + (others.isEmpty ? "" : "\n\nalso heard now: \(others.joined(separator: "; "))")
  }

  static func text(_ recipe: RobustnessRecipe, now: RobustnessProblem?) -> String {
    "\(recipe.subject), \(recipe.session.words)\n"
      + "then: \(recipe.fault.rawValue): \(recipe.found)\n"
      + "now:  \(now.map { "\($0.fault.rawValue): \($0.words)" } ?? "gone")"
  }
}

extension HuntResult.Finding {
  /// A warning where shrinking left much.
  fileprivate var remark: String {
    after.away > 3 ? " (could not be made simpler; listen before you trust it)" : ""
  }
}

/// One line that tells how far a hunt is and what it has found.
final class HuntProgress {
  /// Time that ends the search; `nil` for none.
  private let seconds: Double?
  /// Number of sounds that ends the search; `nil` for none.
  private let maxSounds: Int?
  private var bar = ProgressBar(total: 100)

  init(_ settings: Hunt.Settings) {
    (seconds, maxSounds) = (settings.seconds, settings.maxSounds)
  }

  func show(_ progress: Hunt.Progress) {
    let found = progress.found.map(\.rawValue).joined(separator: ", ")
    let label = "\(progress.sounds) sounds; " + (found.isEmpty ? "nothing yet" : found)
    let share = max(
      seconds.map { progress.seconds / $0 } ?? 0,
      maxSounds.map { Double(progress.sounds) / Double($0) } ?? 0)
    bar.show(underWay: min(99, 100 * share), label)
  }

  func end() { bar.clear() }
}
