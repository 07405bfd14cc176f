import Foundation
import Gate

/// A gate's findings as GitHub annotations: the ten most important ones, which is all that GitHub shows,
/// and the number of the others.
///
/// - Source: "Workflow commands for GitHub Actions"; at most ten errors and ten warnings a step.
package struct GateAnnotations {
  package static let limit = 10

  private let result: GateResult
  private let strict: Bool
  private let lines: [FigureKey: Int]

  /// - Parameter lines: line of each figure in the baseline file.
  package init(_ result: GateResult, strict: Bool = false, lines: [FigureKey: Int] = [:]) {
    (self.result, self.strict, self.lines) = (result, strict, lines)
  }

  package func text() -> String {
    let grave = result.findings.filter { $0.kind.outcome(strict: strict) != nil }
    // The last annotation counts the others.
    let shown = grave.count > Self.limit ? grave.prefix(Self.limit - 1) : grave[...]
    var rows = shown.map { finding in
      let command = finding.command.map { "\n\($0)" } ?? ""
      return Self.line(
        "error", finding.subject + ": " + finding.message + command,
        title: "\(finding.kind.rawValue): \(finding.metric ?? finding.subject)",
        file: finding.key == nil ? nil : result.baselineFile,
        line: finding.key.flatMap { lines[$0] })
    }
    if grave.count > shown.count {
      rows.append(
        Self.line(
          "error", "and \(grave.count - shown.count) more; the job's summary has them all",
          title: "choir-eval gate \(result.plan)"))
    }
    let unsure = strict ? 0 : result.count(.inconclusive)
    if unsure > 0 {
      rows.append(
        Self.line(
          "warning", "\(unsure) figures are inconclusive", title: "choir-eval gate \(result.plan)"))
    }
    if rows.isEmpty {
      rows = [
        Self.line(
          "notice", "\(result.measuredCells) cells pass against the baseline",
          title: "choir-eval gate \(result.plan)")
      ]
    }
    return rows.joined(separator: "\n")
  }

  /// An annotation without a figure.
  package static func error(_ message: String) -> String { line("error", message, title: nil) }

  static func line(
    _ command: String, _ message: String, title: String?, file: String? = nil, line: Int? = nil
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=\(property(file))") }
    if let line { properties.append("line=\(line)") }
    if let title { properties.append("title=\(property(title))") }
    let list = properties.isEmpty ? "" : " " + properties.joined(separator: ",")
    return "::\(command)\(list)::\(data(message))"
  }

  /// Escapes a message, which must be one line.
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// Escapes a property, which may not contain separators.
  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
