import CommandSupport
import Corpus
import Foundation
import Metrics
import Platform
import Statistics

/// The results of a selftest for a terminal.
enum SelftestText {
  static func list(_ defects: [Defect]) -> String {
    var table = TextTable(header: ["defect", "what is wrong", "required power", "expected in"])
    table.rows = defects.map { defect in
      let expected =
        defect.isOfCost ? "cost, with --cost-trials" : defect.expected.joined(separator: ", ")
      return [defect.id, defect.title, power(defect.requiredPower), expected]
    }
    return table.text()
  }

  static func listJSON(_ defects: [Defect]) throws -> String {
    struct Row: Encodable {
      var id: String
      var title: String
      /// Share of trials that must find the defect; `nil` if none is required.
      var requiredPower: Double?
      var expected: [String]
    }
    struct Output: Encodable {
      var schema = "choir-dev.selftest-list/1"
      var defects: [Row]
    }
    return try JSON.text(
      Output(
        defects: defects.map {
          Row(id: $0.id, title: $0.title, requiredPower: $0.requiredPower, expected: $0.expected)
        }))
  }

  static func text(_ selftest: Selftest) -> String {
    let settings = selftest.settings
    return [
      "Metrics on known doses, in an otherwise perfect synthetic voice",
      doses(selftest.doses),
      "The gate on defects: \(settings.trials) trials each, tier \(settings.tier.rawValue) "
        + "(\(counted(selftest.recordings.count, "recording"))), \(settings.subjectSettings.canonical)"
        + (settings.fromMix ? ", judged from a mix" : ""),
      defects(selftest),
      "found: by a metric named in advance. power: share found, with its 95 % interval. reported "
        + "by: metrics with the verdict regression, and in how many trials.",
    ].joined(separator: "\n\n") + nullTrials(selftest.nullTrials) + "\n\n" + closing(selftest)
  }

  private static func doses(_ doses: [Dose]) -> String {
    var table = TextTable(header: [
      "dose", "metric", "unit", "given", "found", "allowed", "verdict",
    ])
    table.rows = doses.map { dose in
      [
        dose.kind, dose.metric, dose.unit, format(dose.given, 0), format(dose.measured, 3),
        "±" + format(dose.allowed, 3), dose.undefined ?? (dose.isGood ? "good" : "WRONG"),
      ]
    }
    return table.text()
  }

  private static func defects(_ selftest: Selftest) -> String {
    var table = TextTable(header: [
      "defect", "found", "power", "required", "worse by", "verdict", "reported by",
    ])
    table.rows = selftest.defects.map { row in
      guard let detected = row.detected, let interval = row.interval else {
        return [
          row.id, "–", "–", power(row.requiredPower), "–",
          row.isGood ? "not tried" : "MISSED: not tried", row.untried ?? "",
        ]
      }
      let (low, high) = (interval.lowerBound, interval.upperBound)
      return [
        row.id, "\(detected.successes)/\(detected.trials)",
        "\(format(detected.share, 2)) (\(format(low, 2)) to \(format(high, 2)))",
        power(row.requiredPower), worsening(row), verdict(row, detected.share), reporters(row),
      ]
    }
    return table.text()
  }

  private static func power(_ required: Double?) -> String {
    required.map { "≥ " + format($0, 2) } ?? "–"
  }

  /// Worsening of the expected metric that got worse by most minimum effects.
  private static func worsening(_ row: Selftest.Row) -> String {
    if let ratio = row.costRatio { return "\(format(ratio, 3)) times the cost" }
    let effects = row.worsening.compactMap { id, value -> (String, Double, Double)? in
      guard let metric = Metric.metric(id: id), let effect = metric.minimumEffect else {
        return nil
      }
      return (id, value, value / effect)
    }
    guard let most = effects.max(by: { $0.2 < $1.2 }), let metric = Metric.metric(id: most.0) else {
      return "–"
    }
    return "\(format(most.1, abs(most.1) < 0.1 ? 4 : 2)) \(metric.unit) of \(most.0)"
  }

  private static func verdict(_ row: Selftest.Row, _ share: Double) -> String {
    let word = share >= 0.95 ? "detected" : share > 0.05 ? "sometimes detected" : "not detected"
    return row.isGood ? word : "MISSED: " + word
  }

  private static func reporters(_ row: Selftest.Row) -> String {
    let most = row.regressions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let first = most.prefix(4).map { "\($0.key) \($0.value)" }
    let more = most.count > 4 ? ["and \(most.count - 4) more"] : []
    let failure = row.failure.map { ["a cell failed: \($0)"] } ?? []
    return (first + more + failure).joined(separator: ", ")
  }

  private static func nullTrials(_ nullTrials: [Selftest.NullTrial]) -> String {
    guard !nullTrials.isEmpty else { return "" }
    var table = TextTable(header: [
      "compared with itself", "comparisons", "false alarms", "share", "figures", "that differ",
      "reported by",
    ])
    table.rows = nullTrials.map { row in
      let interval = row.comparisons.clopperPearson()
      return [
        row.title, "\(row.comparisons.trials)", "\(row.comparisons.successes)",
        "\(format(row.comparisons.share, 3)) (\(format(interval.lowerBound, 3)) to "
          + "\(format(interval.upperBound, 3)))", "\(row.figures)", "\(row.differing)",
        row.regressions.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
          .joined(separator: ", "),
      ]
    }
    return "\n\nThe gate on identical runs\n\n" + table.text()
  }

  private static func closing(_ selftest: Selftest) -> String {
    let wrong = selftest.doses.count { !$0.isGood }
    let missed = selftest.defects.filter { !$0.isGood }.map(\.id)
    let loud = selftest.nullTrials.count { !$0.isGood }
    guard !selftest.passed else {
      let required = selftest.defects.count { $0.requiredPower != nil }
      return "PASS: all \(selftest.doses.count) doses were measured correctly, all \(required) "
        + "required defects were found, without false alarms."
    }
    return "FAIL: "
      + [
        wrong > 0 ? "\(wrong) doses were measured wrong" : nil,
        missed.isEmpty ? nil : "missed " + missed.joined(separator: ", "),
        loud > 0 ? "false alarms on identical runs" : nil,
      ].compactMap(\.self).joined(separator: "; ") + "."
  }
}
