import Evaluation
import Foundation
import Testing

@testable import Reporting

@Suite struct RunReportTests {
  /// A synthetic vowel and the impulse probe under four settings, from plan to page.
  private func page(listening: Bool) async throws -> (ReportPage, URL) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    let corpusFolder = folder.appendingPathComponent("Corpus")
    try FileManager.default.createDirectory(at: corpusFolder, withIntermediateDirectories: true)
    try """
    id,file,source,sha256,licence,attribution,voice,kind,shows
    vowel,,synthetic:vowel-a-bass,,CC0-1.0,nobody,bass,sung,one vowel
    probe,,synthetic:impulses,,CC0-1.0,nobody,none,probe,impulses
    """.write(
      to: corpusFolder.appendingPathComponent("manifest.csv"), atomically: true, encoding: .utf8)
    let planFile = folder.appendingPathComponent("plan.yaml")
    try """
    name: small
    title: Two windows
    subject: reference
    recordings: [vowel, probe]
    scores:
      - id: third
        intervalsSemitones: [4]
    settings:
      engine: [delayline]
      windowMs: [10, 20]
      crossfadeMs: [2, 5]
    \(listening ? "listen: [vowel]" : "")
    """.write(to: planFile, atomically: true, encoding: .utf8)
    let corpus = try Corpus(folder: corpusFolder)
    let store = try ResultStore(folder.appendingPathComponent("results.sqlite"))
    let sweep = try Sweep(Plan(reading: planFile), corpus: corpus, store: store)
    _ = try await sweep.run(jobs: 2)
    let report = RunReport(
      of: try store.run(), in: store, corpus: corpus, command: "choir-eval report small")
    return (try report.page(), folder)
  }

  @Test func thePageSaysWhatTheStoreHolds() async throws {
    let (page, folder) = try await page(listening: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(page.verdict.outcome == .measured)
    #expect(page.verdict.sentence.hasPrefix("Most in tune is windowMs ") == false)
    #expect(page.verdict.sentence.contains("window ") && page.verdict.sentence.contains(" ms"))
    // The law of latency is (window + crossfade) / 2; measured within half a millisecond.
    let deviation = try #require(page.headlines.first { $0.title.contains("law") })
    #expect(deviation.amount.value! < 0.5)
    // What has no number: this score moves no notes, for one.
    #expect(page.sections.map(\.id) == ["sweep", "recordings", "voices", "gaps"])
    let table = page.sections[0].tables[0]
    #expect(table.rows.count == 4)
    #expect(table.columns.map(\.name).prefix(3) == ["engine", "window_ms", "crossfade_ms"])
    // The input, the oracle of its score, and the choir under four settings.
    #expect(page.sections[2].clips.map(\.sounds.count) == [6])

    // The singer's pitch is exact: nothing is left out, nothing uncertain.
    let sung = page.sections[1].tables[0].rows
    #expect(sung.count == 1 && sung[0][3] == .amount(0) && sung[0][4] == .amount(0))

    let report = folder.appendingPathComponent("report")
    try ReportWriter().write(page, to: report)
    let sounds = try FileManager.default.subpathsOfDirectory(atPath: report.path)
      .filter { $0.hasSuffix(".flac") }
    #expect(sounds.count == 6)
  }

  @Test func withoutSoundTheRestStands() async throws {
    let (page, folder) = try await page(listening: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(page.sections.map(\.id) == ["sweep", "recordings", "gaps"])
    #expect(page.sections[0].figures.count == 2)
  }
}
