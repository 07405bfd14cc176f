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
    return template.render(
      View(
        name: "choir-eval gate \(result.plan)".asXML,
        tests: suites.reduce(0) { $0 + $1.tests }, failures: suites.reduce(0) { $0 + $1.failures },
        errors: suites.reduce(0) { $0 + $1.errors }, suites: suites))
  }

  private var suites: [Suite] {
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
      Suite("figures", figures), Suite("budgets", budgets), Suite("cost", costCases),
      Suite("bench", bench), Suite("cells", others),
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

  private struct View { let name: String, tests, failures, errors: Int, suites: [Suite] }

  /// A suite with its counts stored, because templates see stored properties only.
  private struct Suite {
    let name: String
    let tests, failures, errors, skipped: Int
    let cases: [Case]

    init(_ name: String, _ cases: [Case]) {
      func count(_ element: String) -> Int {
        cases.count { $0.outcome.first?.element == element }
      }
      (self.name, self.cases, tests) = (name, cases, cases.count)
      (failures, errors, skipped) = (count("failure"), count("error"), count("skipped"))
    }
  }

  private struct Case {
    let name, classname: String
    let outcome: [Outcome]

    init(_ name: String, in classname: String, _ outcome: Outcome?) {
      (self.name, self.classname) = (name.asXML, "gate.\(classname)")
      self.outcome = outcome.map { [$0] } ?? []
    }
  }

  private struct Outcome {
    let element, message: String
    let type: [String]
    let detail: String
  }
}
