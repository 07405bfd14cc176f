import CommandSupport
import Corpus
import Gate
import Platform
import Reporting

/// The outcome of a bisection for a terminal: the commit, what it changed, where to hear it, and what
/// was tried.
struct BisectText {
  let result: BisectionResult
  let gate: String

  init(_ result: BisectionResult, gate: String) { (self.result, self.gate) = (result, gate) }

  func text() -> String {
    [headline, change, sounds, trials, next].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The figure, after the cause that it shows: `pitch of voice +4: pitch.abs_error · +4 · chord`.
  private var figure: String {
    guard let figure = result.figure else { return "a cell that fails" }
    return (result.cause.map { "\($0.title): " } ?? "") + "\(figure)"
  }

  private var headline: String {
    let suspects = result.suspects
    if suspects.count == 1 {
      return "bisect \(result.plan): \(suspects[0].words) is the first commit with worse \(figure)"
    }
    return "bisect \(result.plan): one of \(suspects.count) commits is the first with worse "
      + "\(figure); those between could not be tested\n"
      + suspects.map { "  \($0.words)" }.joined(separator: "\n")
  }

  private var change: String {
    let style = NumberStyle.significant(4)
    func words(_ value: Double?) -> String { value.map(style.text) ?? "no value" }
    let place = "on the recording \(Condition.place(result.recording, result.condition))"
    return result.figure == nil
      ? "It fails \(place)."
      : "\(words(result.before)) → \(words(result.after)) \(result.unit) \(place)."
  }

  private var sounds: String { result.sounds?.text ?? "" }

  private var trials: String {
    let style = NumberStyle.significant(4)
    var table = TextTable(header: ["commit", "verdict", "cells", "value", "title"])
    for trial in result.trials {
      table.rows.append([
        trial.commit.short, trial.verdict.rawValue, "\(trial.cells)",
        trial.value.map(style.text) ?? "–", trial.commit.title,
      ])
    }
    let remarks = result.trials.compactMap { trial in
      trial.remark.map { "  \(trial.commit.short): \($0)" }
    }
    return (result.trials.isEmpty ? "" : table.text() + "\n")
      + "\(counted(result.commits, "commit")), \(result.builds) builds made now"
      + (remarks.isEmpty ? "" : "\n" + remarks.joined(separator: "\n"))
  }

  /// The newest commit before the suspects that was built and is good.
  private var lastGood: String {
    (result.trials.last { $0.verdict == .good }?.commit ?? result.good).short
  }

  private var next: String {
    guard let guilty = result.suspects.last else { return "" }
    let others = result.otherCauses.map { cause in
      "Also worse: \(cause.title); find its commit: --figure \"\(cause.head)\"\n"
    }
    return others.joined()
      + "See all figures: git checkout \(guilty.short) && choir-eval gate \(gate.forShell) "
      + "--against \(lastGood)"
  }
}
