import Corpus
import Foundation
import Gate
import Metrics
import Subjects
import Sweep
import Tuning

/// The baseline run that a report compares with.
package struct EarlierRun: Sendable {
  /// Name and store of the run, in words.
  package var name: String
  let comparison: RunComparison
  let provenance: ProvenanceSummary
  private let ignored: Set<String>
  private let store: ResultStore?
  /// Keys of its cells, by the address that matching cells of two runs share.
  private let keys: [CellAddress: [String]]

  /// - Parameters:
  ///   - store: store of the run, with the sounds that its plan kept; `nil` for no sounds.
  ///   - ignored: settings, or `subject`, to ignore when matching cells.
  /// - Throws: a `Refusal` if the runs have no cell in common.
  package init(
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

  /// The baseline's sound of a cell.
  enum Kept: Equatable {
    case sound(URL)
    /// The candidate's own sound: nothing that determines it has changed.
    case same
    /// The reason why there is no sound.
    case missing(String)
  }

  func kept(of cell: CellResult) -> Kept {
    let found = keys[ComparedCell(cell, ignoring: ignored).address] ?? []
    if found.contains(cell.key) { return .same }
    guard let key = found.first else { return .missing("the baseline has no such cell") }
    return store?.soundFile(of: key).map { .sound($0) }
      ?? .missing("the baseline kept no sound of it")
  }

  /// Describes the change of a metric under one setting, for the voice with the gravest verdict.
  func change(of metric: String, under choice: SettingChoice) -> String {
    let settings = choice.settings.filter { !ignored.contains($0.key) }.canonical
    let subject = ignored.contains(SettingSummary.subjectAxis) ? "" : choice.subject
    let configuration = [subject, settings].filter { !$0.isEmpty }
      .joined(separator: " ")
    let found = comparison.differences.first {
      $0.metric == metric && $0.configuration == configuration
    }
    guard let found else { return "" }
    guard let difference = found.difference else { return "no value any more" }
    guard found.verdict != .withinNoise else {
      return difference == 0 ? "same as the baseline" : "within noise of the baseline"
    }
    let voice = found.voice.map { "\(Score.words(forVoice: $0)): " } ?? ""
    let words = abs(found.effects ?? 0) < 1 ? "" : "\(found.plainWords), "
    return "\(words)\(voice)\(found.verdict.rawValue)"
  }
}
