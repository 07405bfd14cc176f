import Foundation
import Metrics
import Platform

/// The findings of a validation as data: a table for readers, and the grades that the program ships.
struct ValidityData: Sendable {
  private let findings: [MetricValidity]

  init(of validity: Validity) { findings = validity.findings }

  /// The file docs/data/validity.csv: a row for each metric and class.
  var csv: String {
    let header = [
      "metric", "class", "grade", "at the ideal", "follows doses", "rank", "range over noise",
      "cross-talk", "most disturbing",
    ]
    let rows = metrics.flatMap { id in findings.filter { $0.metric == id } }.map { one in
      [
        one.metric, one.kind.description, one.grade.words, Self.number(one.atIdeal),
        one.isMonotone.map { $0 ? "yes" : "no" } ?? "", Self.number(one.rank),
        Self.number(one.rangeOverNoise), Self.number(one.crossTalk), one.maxDisturber ?? "",
      ]
    }
    return ([header] + rows).map(CSVText.record).joined()
  }

  /// The file grades.txt beside `GradeTable`.
  var grades: String {
    let head = """
      # Written by choir-dev metrics validate --write. A line has a metric, a grade, and the classes of
      # recordings on which it was found. Metrics and classes without a line were not tried, or had no value.

      """
    let lines = metrics.flatMap { id in
      MetricGrade.allCases.compactMap { grade in
        let kinds = findings.filter { $0.metric == id && $0.grade == grade }
          .map(\.kind.description)
        return kinds.isEmpty ? nil : "\(id) \(grade.rawValue) \(kinds.joined(separator: " "))"
      }
    }
    return head + lines.joined(separator: "\n") + "\n"
  }

  private var metrics: [String] {
    let known = Set(findings.map(\.metric))
    return Metric.all.map(\.id).filter { known.contains($0) }
  }

  private static func number(_ value: Double?) -> String {
    value.map { String(format: abs($0) >= 99.5 ? "%.0f" : abs($0) >= 9.95 ? "%.1f" : "%.2f", $0) }
      ?? ""
  }
}
