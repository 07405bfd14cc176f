import Evaluation
import Foundation

/// A gate's findings as annotations of GitHub: the ten most important ones, for it shows no more,
/// and how many there are besides.
///
/// - Source: "Workflow commands for GitHub Actions"; at most ten errors and ten warnings a step.
public struct GateAnnotations {
  public static let limit = 10

  private let result: GateResult
  private let strict: Bool
  private let lines: [Baseline.Key: Int]

  /// - Parameter lines: where in the baseline each figure is.
  public init(_ result: GateResult, strict: Bool = false, lines: [Baseline.Key: Int] = [:]) {
    (self.result, self.strict, self.lines) = (result, strict, lines)
  }

  public func text() -> String {
    let grave = result.findings.filter { $0.kind.exitCode(strict: strict) != nil }
    // The last place is for the sum.
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
          "notice", "\(result.measuredCells) cells hold against the baseline",
          title: "choir-eval gate \(result.plan)")
      ]
    }
    return rows.joined(separator: "\n")
  }

  /// One that is of no figure.
  public static func error(_ message: String) -> String { line("error", message, title: nil) }

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

  /// A message is one line.
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// What separates properties can't be in one.
  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
