import CommandSupport
import Foundation
import Probes
import Reporting

/// The figures of a replay for a terminal.
enum HuntText {
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
