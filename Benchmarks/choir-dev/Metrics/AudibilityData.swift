import Foundation
import Metrics
import Platform

/// The file docs/data/audibility.csv: a row for each threshold of hearing and source.
enum AudibilityData {
  static var csv: String {
    let header = [
      "attribute", "axis of tune", "just noticeable", "from", "to", "one step", "unit",
      "conditions", "source", "finding", "read",
    ]
    return ([header] + Audibility.all.flatMap(rows)).map(CSVText.record).joined()
  }

  private static func rows(of entry: Audibility) -> [[String]] {
    let own = [
      entry.attribute, entry.axis?.rawValue ?? "", number(entry.threshold),
      number(entry.range.lowerBound), number(entry.range.upperBound), number(entry.step),
      entry.unit, entry.conditions,
    ]
    // "no" marks a finding quoted from memory, from a textbook or through others.
    let sources = entry.sources.map { source in
      own + [source.reference, source.finding, source.isChecked ? "yes" : "no"]
    }
    return sources.isEmpty ? [own + ["no published threshold was found", "", ""]] : sources
  }

  private static func number(_ value: Double) -> String { String(format: "%g", value) }
}
