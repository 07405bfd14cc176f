import CommandSupport
import Foundation
import Gate
import Metrics
import Platform
import Reporting
import Statistics

/// A gate's result for a terminal: first the findings that fail it, each with the command that
/// explains it; then all other changes, and the minimum detectable effects.
struct GateText {
  let result: GateResult
  let strict: Bool

  init(_ result: GateResult, strict: Bool) { (self.result, self.strict) = (result, strict) }

  func text() -> String {
    let table = result.comparison.map { ComparisonTable($0) }
    return [
      headline, grave, next, events, sounds, budgets, costs, improvements,
      strict ? "" : table?.inconclusive ?? "", table?.unchanged ?? "", notes, table?.legend ?? "",
      provenance,
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var headline: String {
    let outcome = result.outcome(strict: strict).rawValue
    let figures = result.comparison?.differences.count ?? 0
    let counts = result.countsInWords
    let against = result.against.map { " against \($0.name)" } ?? ""
    return
      "gate \(result.plan)\(against): \(outcome). \(result.measuredCells) of \(result.expectedCells) cells, "
      + "\(figures) figures" + (counts.isEmpty ? "" : ": \(counts)")
  }

  private var grave: String {
    lines(result.findings.filter { $0.kind.outcome(strict: strict) != nil && !$0.isFolded }, "✗")
  }

  private var improvements: String {
    lines(result.findings.filter { $0.kind == .improvement }, "✓")
  }

  private func lines(_ findings: [GateFinding], _ mark: String) -> String {
    let shown = findings.prefix(30).map { finding in
      "\(mark) \(finding.kind.rawValue)  \(finding.subject)\n    \(finding.message)"
        + (finding.command.map { "\n    \($0)" } ?? "") + folded(under: finding)
    }
    let more =
      findings.count > 30 ? ["… and \(findings.count - 30) more; --format json has all"] : []
    return (shown + more).joined(separator: "\n")
  }

  /// Commands to type next: for a page, and if the regressions are meant.
  private var next: String {
    guard result.count(.regression) > 0 else { return "" }
    let against = result.against.map { " --against \($0.commit.short)" } ?? ""
    let accept =
      result.against == nil
      ? ["If all of this is meant: choir-eval accept \(result.commandWords) --reason \"…\""] : []
    let page =
      "To see and hear it: choir-eval gate \(result.commandWords)\(against) --cached --output FOLDER"
    return ([page] + accept).joined(separator: "\n")
  }

  /// The instants of rare events.
  private var events: String {
    guard !result.events.isEmpty else { return "" }
    var table = TextTable(header: ["events", "recording", "voice", "at s", "finding"])
    for place in result.events {
      let through = place.condition == "clean" ? "" : " · \(place.condition)"
      for instant in place.instants {
        table.rows.append([
          place.metric, place.recording + through, instant.voice ?? "all",
          format(instant.atSeconds, 3), instant.words,
        ])
      }
    }
    return table.text()
  }

  /// The instants at which the sounds of both revisions differ most, with their files.
  private var sounds: String {
    guard let against = result.against else { return "" }
    return against.sounds.map { place in
      let through = place.condition == "clean" ? "" : " · \(place.condition)"
      return "\(place.recording)\(through): the sounds differ most at\n"
        + InstantTable.text(place.instants, indent: "  ")
        + "\n  listen to \(place.baselineFile)\n            \(place.candidateFile)"
    }.joined(separator: "\n\n")
  }

  /// The other figures that the cause of a finding explains, by metric.
  private func folded(under finding: GateFinding) -> String {
    guard let group = result.causes.first(where: { $0.head == finding.key }), !group.folded.isEmpty
    else { return "" }
    let metrics = Set(group.folded.map(\.figure.metric)).sorted().joined(separator: ", ")
    return "\n    changed with it: \(counted(group.folded.count, "more figure")): \(metrics)"
  }

  /// The figure nearest to its limit, for each budget.
  private var budgets: String {
    guard !result.budgets.isEmpty else { return "" }
    var table = TextTable(header: ["budget", "", "worst", "of"])
    for (found, isBroken) in result.nearestBudgets {
      table.rows.append([
        "\(found.budget)", isBroken ? "broken" : "kept",
        found.value.map { NumberStyle.significant(3).text($0) } ?? "no value", found.place,
      ])
    }
    return table.text()
  }

  /// The cost of each setting, with its verdict.
  private var costs: String {
    guard !result.costs.isEmpty else { return "" }
    var table = TextTable(header: [
      "cost of", "times", "interval", "verdict", "minimum effect", "detectable",
    ])
    for cost in result.costs {
      let name = cost.configuration.isEmpty ? "the default settings" : cost.configuration
      guard let found = cost.comparison else {
        table.rows.append([name, "–", "–", "not measured", "–", "–"])
        continue
      }
      table.rows.append([
        name, format(found.ratio, 3),
        "\(format(found.interval.lowerBound, 3)) to \(format(found.interval.upperBound, 3))",
        found.verdict.rawValue, "+\(format(100 * found.minimumEffect, 0)) %",
        "+\(found.detectablePercent) %",
      ])
    }
    let against = Set(result.costs.map(\.against)).sorted().joined(separator: ", ")
    return table.text() + "\nby processor time, compared with \(against)"
  }

  private var notes: String {
    let notes = result.findings.filter { $0.kind == .note } + [result.noiseNote].compactMap(\.self)
    return notes.map { "note: \($0.subject): \($0.message)" }.joined(separator: "\n")
  }

  private var provenance: String {
    let was = result.baseline
    if let against = result.against {
      return """
        Candidate: \(result.subjects.joined(separator: ", ")) on \(result.machine).
        Reference \(against.name): \(against.commit.words), \
        \(was.subjects.joined(separator: ", "))\
        \(against.wasMeasured ? "; measured earlier" : against.wasBuilt ? "; built earlier" : "").
        """
    }
    return """
      Candidate: \(result.subjects.joined(separator: ", ")) on \(result.machine).
      Baseline \(result.baselineFile): \(was.subjects.joined(separator: ", ")) on \(was.machine), \
      \(was.date), corpus \(was.corpus).
      """
  }
}
