import Evaluation
import Foundation
import Testing

@testable import Reporting

@Suite struct EarlierRunTests {
  private func page(_ small: SmallRun, against baseline: StoredRun) throws -> ReportPage {
    try RunReport(
      of: small.run, in: small.store, corpus: small.corpus, command: "choir-eval report small",
      baseline: EarlierRun("before", baseline, of: small.run)
    ).page()
  }

  @Test func theSameRunPasses() async throws {
    let small = try await SmallRun()
    defer { try? FileManager.default.removeItem(at: small.folder) }
    let page = try page(small, against: small.run)
    #expect(page.verdict.outcome == .pass)
    #expect(
      page.verdict.sentence.contains("compared with before")
        && page.verdict.sentence.contains("within noise"))
    #expect(page.headlines.map(\.change).prefix(2) == ["as the baseline", "as the baseline"])
    #expect(page.sections.first { $0.id == "changes" }?.tables.isEmpty == true)
  }

  /// The baseline was 20 cents better on every cell: ten times what matters.
  @Test func whatGotWorseIsNamedFirst() async throws {
    let small = try await SmallRun()
    defer { try? FileManager.default.removeItem(at: small.folder) }
    let better = small.doctored { _, measurements in
      measurements["pitch.abs_error"] = measurements["pitch.abs_error"]?.map { found in
        guard case .value(let value) = found.outcome else { return found }
        var found = found
        found.outcome = .value(value - 20)
        return found
      }
    }
    let page = try page(small, against: better)
    #expect(page.verdict.outcome == .regression)
    #expect(page.verdict.sentence.contains("First: pitch.abs_error"))
    #expect(
      page.headlines[0].change.hasPrefix("+20 cents (voice +4) against the baseline: regression"))
    #expect(page.headlines[1].change == "as the baseline")
    let changes = try #require(page.sections.first { $0.id == "changes" }?.tables.first)
    #expect(changes.rows.count == 4)  // one of each setting
    // The recording that got worst leads to its cell.
    guard case .linked(_, let address) = changes.rows[0][12] else {
      Issue.record("no link to the cell")
      return
    }
    #expect(address.hasPrefix("clip-vowel.html#cell-"))
    let rows = page.subpages.flatMap(\.sections).flatMap(\.tables).flatMap(\.rowIDs)
    #expect(rows.contains { address.hasSuffix("#\($0)") })
  }
}
