extension GateJudge {
  /// Returns the finding of a broken budget.
  func finding(_ found: BudgetFinding) -> GateFinding {
    let budget = found.budget
    let place = [found.voice, found.score, found.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let value = found.value.map { "measured \($0.short)" } ?? "no cell has a value"
    let worst = found.recording.map { ", worst on \($0)" } ?? ""
    return GateFinding(
      .brokenBudget, [budget.metric, place].filter { !$0.isEmpty }.joined(separator: " · "),
      "\(budget): \(value)\(worst)", metric: budget.metric,
      command: found.cell.flatMap { command($0, budget.metric) })
  }
}

extension Budget {
  /// Returns what is wrong with a budget that no cell can have a figure of, because it names a voice or
  /// settings that the plan does not have; `nil` if it names none, or some that are there.
  func mistake(in cells: [ComparedCell]) -> String? {
    func missing(_ what: String, among all: some Sequence<String>) -> String {
      let known = Set(all).sorted().joined(separator: ", ")
      return "\(what), but the plan has \(known.isEmpty ? "none" : known); correct the budget"
    }
    if let voice {
      let voices = Set(cells.flatMap { $0.figures.keys.compactMap(\.voice) })
      if !voices.contains(voice) { return missing("names the voice '\(voice)'", among: voices) }
    }
    if let settings {
      let words = Set(cells.flatMap { $0.address.configuration.split(separator: " ") })
      for word in settings.split(separator: " ") where !words.contains(word) {
        return missing("names the setting '\(word)'", among: words.map(String.init))
      }
    }
    return nil
  }
}
