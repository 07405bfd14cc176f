import Foundation
import Metrics
import Sweep
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
    let page = try page(small, against: small.run)
    #expect(page.verdict.outcome == .pass)
    #expect(
      page.verdict.sentence.contains("compared with before")
        && page.verdict.sentence.contains("within noise"))
    let changes = page.headlines.map(\.change).prefix(2)
    #expect(changes == ["same as the baseline", "same as the baseline"])
    #expect(page.sections.first { $0.id == "changes" }?.tables.isEmpty == true)
    #expect(page.lead?.drawing != EarlierRun.drawing)
  }

  /// The baseline was 20 cents better on every cell: ten minimum effects.
  @Test func whatGotWorseIsNamedFirst() async throws {
    let small = try await SmallRun()
    let better = small.doctored { _, measurements in
      for metric in ["pitch.abs_error", "pitch.residual"] {
        measurements[metric] = measurements[metric]?.map { found in
          guard let value = found.outcome.number else { return found }
          var found = found
          found.outcome = .value(value - 20)
          return found
        }
      }
    }
    let page = try page(small, against: better)
    #expect(page.verdict.outcome == .regression)
    #expect(page.verdict.sentence.hasPrefix("Changed most: pitch "))
    #expect(
      page.headlines[2].change.hasSuffix(" cents, voice +4: regression"))
    #expect(page.headlines[1].change == "same as the baseline")
    // The change is the picture of the first screen: an arrow for each recording.
    #expect(page.lead?.drawing == EarlierRun.drawing)
    let plot = page.sections.flatMap(\.drawings).first { $0.id == EarlierRun.drawing }?.plot
    let lines = try #require((plot as? ChangePlot)?.lines)
    #expect(!lines.isEmpty && lines.allSatisfy { abs($0.after - $0.before - 20) < 1e-9 })
    let changes = try #require(page.sections.first { $0.id == "changes" }?.tables.first)
    #expect(changes.rows.count == 8)  // two of each setting
    // The worst recording links to its cell.
    guard case .linked(_, let address) = changes.rows[0][4] else {
      Issue.record("no link to the cell")
      return
    }
    #expect(small.run.cells.contains { address == Workbench.address(ofCell: $0.key) })
  }

  @Test func aRunThatLacksACellDoesNotPass() async throws {
    let small = try await SmallRun()
    var larger = small.run
    var cell = try #require(larger.cells.first)
    (cell.recording, cell.key) = ("another", "0123456789abcdef")
    larger.cells.append(cell)
    let verdict = try page(small, against: larger).verdict
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.sentence.contains("This run lacks 1 cell of the baseline."))
  }

  /// A baseline's cell with another key has its own sound if its store kept one, else a reason.
  @Test func theBaselineIsHeardWhereItsSoundWasKept() async throws {
    let small = try await SmallRun(listening: true)
    let cell = try #require(small.run.cells.first { small.store.soundFile(of: $0.key) != nil })
    let same = try EarlierRun("before", small.run, of: small.run, in: small.store)
    #expect(same.kept(of: cell) == .same)

    var other = small.run
    other.cells = other.cells.map { cell in
      var cell = cell
      cell.key = "0123456789abcdef" + cell.key
      return cell
    }
    let before = try EarlierRun("before", other, of: small.run, in: small.store)
    #expect(before.kept(of: cell) == .missing("the baseline kept no sound of it"))
    let file = try #require(small.store.soundFile(of: cell.key))
    let kept = file.deletingLastPathComponent().appendingPathComponent("0123456789abcdef.flac")
    try FileManager.default.copyItem(at: file, to: kept)
    #expect(before.kept(of: cell) == .sound(kept))

    let clips = RunClips(run: small.run, store: small.store, corpus: small.corpus, baseline: before)
    let sounds = try #require(try clips.clips(of: "vowel", best: nil).all.first).sounds
    #expect(sounds.map(\.name).prefix(4) == ["input", "oracle", "baseline", "choir"])
  }
}
