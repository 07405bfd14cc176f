import Evaluation
import Foundation

/// A run to compare with.
public struct EarlierRun: Sendable {
  /// For people: its name and where it is.
  public var name: String
  let comparison: RunComparison
  let provenance: ProvenanceSummary
  private let ignored: Set<String>
  private let store: ResultStore?
  /// Of its cells, by what the same cell of another run has in common with them.
  private let keys: [ComparedCell.Address: [String]]

  /// - Parameters:
  ///   - store: that has it, with the sounds that its plan kept; `nil` where none are to be heard.
  ///   - ignored: settings, or `subject`, by which cells are not told apart.
  /// - Throws: `ComparisonError` where the two have no cell in common.
  public init(
    _ name: String, _ baseline: StoredRun, of candidate: StoredRun, in store: ResultStore? = nil,
    ignoring ignored: Set<String> = []
  ) throws {
    (self.name, self.ignored, self.store) = (name, ignored, store)
    provenance = ProvenanceSummary(of: baseline.cells)
    keys = Dictionary(grouping: baseline.comparedCells(ignoring: ignored), by: \.address)
      .mapValues { $0.map(\.key) }
    comparison = try RunComparison(
      baseline: baseline.comparedCells(ignoring: ignored),
      candidate: candidate.comparedCells(ignoring: ignored))
  }

  /// What it made of the same cell.
  enum Kept: Equatable {
    case sound(URL)
    /// Nothing that determines a sound has changed, so the candidate's is the baseline's.
    case same
    /// Why there is none.
    case missing(String)
  }

  func kept(of cell: CellResult) -> Kept {
    let found = keys[ComparedCell(cell, ignoring: ignored).address] ?? []
    if found.contains(cell.key) { return .same }
    guard let key = found.first else { return .missing("the baseline has no such cell") }
    return store?.soundFile(of: key).map { .sound($0) }
      ?? .missing("the baseline kept no sound of it")
  }

  /// What became of a metric under one setting: the most worrying of its voices, in words.
  func change(of metric: String, under choice: RunFacts.Choice) -> String {
    let settings = choice.settings.filter { !ignored.contains($0.key) }.canonical
    let subject = ignored.contains(SettingSummary.subjectAxis) ? "" : choice.subject
    let configuration = [subject, settings].filter { !$0.isEmpty }
      .joined(separator: " ")
    let found = comparison.differences.first {
      $0.metric == metric && $0.configuration == configuration
    }
    guard let found else { return "" }
    guard let difference = found.difference, found.verdict != .withinNoise || difference != 0
    else { return found.difference == nil ? "no value any more" : "as the baseline" }
    let style = NumberStyle.significant(2)
    let sign = difference > 0 ? "+" : ""
    let voice = found.voice.map { " (voice \($0))" } ?? ""
    let unit = ["share", "ratio", "count", ""].contains(found.unit) ? "" : " \(found.unit)"
    return "\(sign)\(style.text(difference))\(unit)\(voice) against the baseline: "
      + found.verdict.rawValue
  }
}
