import Foundation
import Gate
import Metrics

/// A gate's findings as SARIF 2.1.0, for code-scanning views: a rule for each metric and a result for
/// each finding, at its line of the baseline.
///
/// - Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", 2020.
package struct GateSARIF {
  private let result: GateResult
  private let strict: Bool
  private let lines: [FigureKey: Int]

  /// - Parameter lines: line of each figure in the baseline file.
  package init(_ result: GateResult, strict: Bool = false, lines: [FigureKey: Int] = [:]) {
    (self.result, self.strict, self.lines) = (result, strict, lines)
  }

  package func text() throws -> String {
    String(decoding: try JSONEncoder.readable.encode(log), as: UTF8.self) + "\n"
  }

  private var log: Log {
    // A view of alerts needs no improvements.
    let findings = result.findings.filter { $0.kind.outcome(strict: true) != nil }
    let rules = findings.map(Self.rule).reduce(into: [String: Log.Rule]()) { $0[$1.id] = $1 }
      .values.sorted { $0.id < $1.id }
    let places = Dictionary(
      uniqueKeysWithValues: rules.enumerated().map { ($0.element.id, $0.offset) })
    let results = findings.map { finding in
      let id = Self.rule(finding).id
      return Log.Result(
        ruleId: id, ruleIndex: places[id]!,
        level: finding.kind.outcome(strict: strict) == nil ? "warning" : "error",
        message: .init(
          text: "\(finding.subject): \(finding.message)"
            + (finding.command.map { "\n\($0)" } ?? "")),
        locations: [
          .init(
            physicalLocation: .init(
              artifactLocation: .init(
                uri: (finding.key == nil ? result.gate : result.baselineFile).asURI),
              region: .init(startLine: finding.key.flatMap { lines[$0] } ?? 1)))
        ],
        partialFingerprints: ["figure/v1": "\(finding.kind.rawValue) \(finding.subject)"])
    }
    let outcome = result.outcome(strict: strict)
    return Log(
      runs: [
        Log.Run(
          tool: .init(driver: .init(rules: rules)), results: results,
          invocations: [
            .init(
              executionSuccessful: outcome != .notMeasured, exitCode: outcome.exitCode)
          ])
      ])
  }

  private static func rule(_ finding: GateFinding) -> Log.Rule {
    let metric = finding.metric.flatMap { Metric.metric(id: $0) }
    let isFigure =
      finding.metric != nil && [.regression, .inconclusive, .brokenBudget].contains(finding.kind)
    let id =
      isFigure
      ? finding.metric! : "gate." + finding.kind.rawValue.replacing(" ", with: "-")
    return Log.Rule(
      id: id,
      shortDescription: .init(text: isFigure ? metric?.summary ?? id : finding.kind.rawValue),
      help: .init(text: isFigure ? "choir-eval metrics show \(id)" : "docs/reference/gate.md"))
  }

  // MARK: - The format

  private struct Log: Encodable {
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case version, runs
    }

    struct Run: Encodable {
      let tool: Tool
      let results: [Result]
      let invocations: [Invocation]
      let columnKind = "unicodeCodePoints"
    }

    struct Tool: Encodable { let driver: Driver }
    struct Driver: Encodable {
      let name = "choir-eval"
      let rules: [Rule]
    }
    struct Rule: Encodable {
      let id: String
      let shortDescription, help: Message
    }
    struct Message: Encodable { let text: String }

    struct Result: Encodable {
      let ruleId: String
      let ruleIndex: Int
      let level: String
      let message: Message
      let locations: [Location]
      let partialFingerprints: [String: String]
    }

    struct Location: Encodable { let physicalLocation: PhysicalLocation }
    struct PhysicalLocation: Encodable {
      let artifactLocation: ArtifactLocation
      let region: Region
    }
    struct ArtifactLocation: Encodable { let uri: String }
    struct Region: Encodable { let startLine: Int }

    struct Invocation: Encodable {
      let executionSuccessful: Bool
      let exitCode: Int32
    }
  }
}

extension String {
  /// The path as a URI, as SARIF needs it.
  fileprivate var asURI: String {
    addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self
  }
}
