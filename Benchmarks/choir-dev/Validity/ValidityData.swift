import Foundation
import Metrics
import Platform

/// The findings of validations as data: a table for readers, and the grades that the program ships.
struct ValidityData: Sendable {
  private struct Place: Hashable {
    var metric: String
    var kind: String
  }

  /// Records of the table.
  private var records: [Place: String] = [:]

  /// - Parameter csv: the table before, whose records of metrics and classes that were not tried stay.
  init(of validity: Validity, in csv: String) {
    let tried = Set(validity.settings.metrics.metrics.map(\.id))
    let classes = validity.settings.classes
    for record in csv.split(separator: "\r\n").dropFirst() {
      let fields = record.split(separator: ",", maxSplits: 2).map(String.init)
      if tried.contains(fields[0]), classes?.contains(fields[1]) ?? true { continue }
      records[Place(metric: fields[0], kind: fields[1])] = record + "\r\n"
    }
    for one in validity.findings {
      let kind = one.kind.description
      records[Place(metric: one.metric, kind: kind)] = CSVText.record([
        one.metric, kind, one.grade.words, Self.number(one.atIdeal),
        one.isMonotone.map { $0 ? "yes" : "no" } ?? "", Self.number(one.rank),
        Self.number(one.rangeOverNoise), Self.number(one.crossTalk), one.maxDisturber ?? "",
      ])
    }
  }

  /// The file docs/data/validity.csv: a row for each metric and class.
  var csv: String {
    let header = [
      "metric", "class", "grade", "at the ideal", "follows doses", "rank", "range over noise",
      "cross-talk", "most disturbing",
    ]
    return CSVText.record(header)
      + metrics.flatMap { id in Self.kinds.compactMap { self[id, $0] } }.joined()
  }

  /// The file grades.txt beside `GradeTable`.
  var grades: String {
    let head = """
      # Written by choir-dev metrics validate --write. A line has a metric, a grade, and the classes of
      # recordings on which it was found. Metrics and classes without a line were not tried, or had no value.

      """
    let lines = metrics.flatMap { id in
      MetricGrade.allCases.compactMap { grade in
        let kinds = Self.kinds.filter { self[id, $0]?.contains(",\(grade.words),") ?? false }
        return kinds.isEmpty ? nil : "\(id) \(grade.rawValue) \(kinds.joined(separator: " "))"
      }
    }
    return head + lines.joined(separator: "\n") + "\n"
  }

  private subscript(metric: String, kind: String) -> String? {
    records[Place(metric: metric, kind: kind)]
  }

  private var metrics: [String] {
    let known = Set(records.keys.map(\.metric))
    return Metric.all.map(\.id).filter { known.contains($0) }
  }

  private static let kinds = RecordingClass.Material.allCases.flatMap { material in
    RecordingClass.Register.allCases.map { RecordingClass(material, $0).description }
  }

  private static func number(_ value: Double?) -> String {
    value.map { String(format: abs($0) >= 99.5 ? "%.0f" : abs($0) >= 9.95 ? "%.1f" : "%.2f", $0) }
      ?? ""
  }
}
