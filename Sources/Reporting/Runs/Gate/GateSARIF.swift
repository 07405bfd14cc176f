import Foundation
import Gate
import Metrics
import Platform

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
    try JSONEncoder.readable.text(log) + "\n"
  }

  private var log: JSONObject {
    // A view of alerts needs no improvements.
    let findings = result.findings.filter { $0.kind.outcome(strict: true) != nil }
    let rules = Dictionary(findings.map { (id(of: $0), rule($0)) }, uniquingKeysWith: { $1 })
    let ids = rules.keys.sorted()
    let outcome = result.outcome(strict: strict)
    let driver: JSONObject = ["name": "choir-eval", "rules": ids.map { rules[$0]! }]
    let run: JSONObject = [
      "tool": ["driver": driver] as JSONObject, "columnKind": "unicodeCodePoints",
      "results": findings.map { found($0, ids) },
      "invocations": [
        [
          "executionSuccessful": outcome != .notMeasured, "exitCode": outcome.exitCode,
        ] as JSONObject
      ],
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [run],
    ]
  }

  private func found(_ finding: GateFinding, _ ids: [String]) -> JSONObject {
    let id = id(of: finding)
    let place: JSONObject = [
      "artifactLocation": [
        "uri": (finding.key == nil ? result.gate : result.baselineFile).asURI
      ] as JSONObject,
      "region": ["startLine": finding.key.flatMap { lines[$0] } ?? 1] as JSONObject,
    ]
    return [
      "ruleId": id, "ruleIndex": ids.firstIndex(of: id),
      "level": finding.kind.outcome(strict: strict) == nil ? "warning" : "error",
      "message": message(
        "\(finding.subject): \(finding.message)" + (finding.command.map { "\n\($0)" } ?? "")),
      "locations": [["physicalLocation": place] as JSONObject],
      "partialFingerprints": ["figure/v1": "\(finding.kind.rawValue) \(finding.subject)"],
    ]
  }

  private func isFigure(_ finding: GateFinding) -> Bool {
    finding.metric != nil && [.regression, .inconclusive, .brokenBudget].contains(finding.kind)
  }

  private func id(of finding: GateFinding) -> String {
    isFigure(finding)
      ? finding.metric! : "gate." + finding.kind.rawValue.replacing(" ", with: "-")
  }

  private func rule(_ finding: GateFinding) -> JSONObject {
    let id = id(of: finding)
    let summary = finding.metric.flatMap { Metric.metric(id: $0) }?.summary ?? id
    return [
      "id": id, "shortDescription": message(isFigure(finding) ? summary : finding.kind.rawValue),
      "help": message(
        isFigure(finding) ? "choir-eval metrics show \(id)" : "docs/reference/gate.md"),
    ]
  }

  private func message(_ text: String) -> JSONObject { ["text": text] }
}

extension String {
  /// The path as a URI, as SARIF needs it.
  fileprivate var asURI: String {
    addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self
  }
}
