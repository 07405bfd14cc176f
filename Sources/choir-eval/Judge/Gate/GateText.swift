import Gate
import Platform
import Reporting

/// A gate's result for a terminal: the outcome in one line, then its page.
enum GateText {
  static func text(_ result: GateResult, strict: Bool) throws -> String {
    let page = try GatePage(result, strict: strict).page()
    let against = result.against.map { " against \($0.name)" } ?? ""
    let figures = counted(result.comparison?.differences.count ?? 0, "figure")
    let counts = result.countsInWords
    let headline =
      "gate \(result.plan)\(against): \(result.outcome(strict: strict).rawValue). "
      + "\(result.measuredCells) of \(result.expectedCells) cells, \(figures)"
      + (counts.isEmpty ? "" : ": \(counts)")
    let sounds = result.against?.sounds.map(\.text) ?? []
    return ([headline, PageText.text(page)] + sounds).joined(separator: "\n\n")
  }
}
