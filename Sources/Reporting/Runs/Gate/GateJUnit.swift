import Gate
import Metrics
import Mustache

/// A gate's result as JUnit XML for a CI system: a case for every compared figure, every budget, and
/// every missing cell.
///
/// Regressions and broken budgets are failures; cells that could not be measured or compared are
/// errors; inconclusive figures are skipped, or failures if `strict`.
///
/// - Source: the elements that Jenkins and GitLab read (junit-10.xsd of Jenkins' xUnit plugin).
package struct GateJUnit {
  private let result: GateResult
  private let strict: Bool

  package init(_ result: GateResult, strict: Bool = false) {
    (self.result, self.strict) = (result, strict)
  }

  package func text() throws -> String {
    let template = try MustacheTemplate(
      string: String(decoding: PackageResources.junit_mustache, as: UTF8.self))
    let suites = suites.filter { !$0.cases.isEmpty }
    func counts(_ cases: [Case]) -> View {
      func count(_ element: String) -> Int {
        cases.count { $0.outcome.first?.element == element }
      }
      return [
        "tests": cases.count, "failures": count("failure"), "errors": count("error"),
        "skipped": count("skipped"),
      ]
    }
    let view: View = [
      "name": "choir-eval gate \(result.plan)".asXML,
      "suites": suites.map { suite in
        counts(suite.cases).merging(["name": suite.name, "cases": suite.cases]) { $1 }
      },
    ]
    return template.render(view.merging(counts(suites.flatMap(\.cases))) { $1 })
  }

  private var suites: [(name: String, cases: [Case])] {
    let byKey = Dictionary(
      result.findings.compactMap { finding in finding.key.map { ($0, finding) } }
    ) { first, _ in first }
    let figures = (result.comparison?.differences ?? []).map { found in
      let key = found.key
      return Case(
        "\(key)", in: MetricFamily.family(of: found.metric)?.id ?? "figures",
        byKey[key].flatMap(outcome))
    }
    let budgets = result.budgets.map { found in
      let place = [found.voice, found.score, found.configuration].compactMap(\.self)
        .filter { !$0.isEmpty }.joined(separator: " · ")
      let value = found.value.map { NumberStyle.significant(4).text($0) } ?? "no cell has a value"
      return Case(
        "\(found.budget) · \(place)", in: "budgets",
        found.isBroken
          ? Outcome(element: "failure", message: value.asXML, type: ["budget"], detail: "") : nil)
    }
    let costs = Set(result.costs.map(\.subject))
    let others = result.findings.filter { finding in
      finding.kind.outcome(strict: true) == .notMeasured && !costs.contains(finding.subject)
    }.map { Case($0.subject, in: "cells", outcome($0)) }
    let costCases = result.costs.map { found in
      Case(found.subject, in: "cost", found.finding.flatMap(outcome))
    }
    let bench = result.findings.filter { finding in
      finding.kind == .regression && finding.key == nil && !costs.contains(finding.subject)
    }.map { Case($0.subject, in: "bench", outcome($0)) }
    return [
      ("figures", figures), ("budgets", budgets), ("cost", costCases), ("bench", bench),
      ("cells", others),
    ]
  }

  private func outcome(_ finding: GateFinding) -> Outcome? {
    let element: String
    switch finding.kind {
    case .regression, .brokenBudget: element = "failure"
    case .failedCell, .missingCell, .notComparable: element = "error"
    case .inconclusive: element = strict ? "failure" : "skipped"
    case .improvement, .note: return nil
    }
    return Outcome(
      element: element, message: finding.message.asXML,
      // A skipped case has no type.
      type: element == "skipped" ? [] : [finding.kind.rawValue],
      detail: (finding.command ?? "").asXML)
  }

  // MARK: - What the template names

  private struct Case {
    let name, classname: String
    let outcome: [Outcome]

    init(_ name: String, in classname: String, _ outcome: Outcome?) {
      (self.name, self.classname) = (name.asXML, "gate.\(classname)")
      self.outcome = outcome.part
    }
  }

  private struct Outcome {
    let element, message: String
    let type: [String]
    let detail: String
  }
}

extension String {
  /// The text without the characters that XML 1.0 forbids; templates escape the others.
  var asXML: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.filter { scalar in
          scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
            || "\t\n\r".unicodeScalars.contains(scalar)
        }))
  }
}
