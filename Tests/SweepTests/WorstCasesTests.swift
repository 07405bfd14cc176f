import AudioFile
import DSP
import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Platform
@testable import Sweep

/// Faults of the corpus, a clip, a subject or the disk are named results.
@Suite struct WorstCasesTests {
  private let scratch = try! TemporaryFolder()

  private func tone(_ seconds: Double, rateHz: Double = 48_000) -> [Float] {
    Signal.sine(200, amplitude: 0.3, seconds: seconds, sampleRateHz: rateHz).samples
  }

  /// The corpus of `TemporaryFolder` with one more clip.
  private func corpus(with id: String, _ write: (URL) throws -> Void) throws -> Corpus {
    _ = try scratch.corpus()
    let file = scratch.file("Corpus/audio/\(id).wav")
    try write(file)
    let digest = try Digest.sha256(ofFile: file)
    return try scratch.corpus(
      extraRows: "\(id),\(id).wav,test,\(digest),CC0-1.0,nobody,tenor,sung,odd\n")
  }

  private func run(
    _ id: String, in corpus: Corpus, subject: String = "reference"
  ) async throws -> [CellResult] {
    let store = try ResultStore(scratch.file("results.sqlite"))
    let text = smallPlan.replacing("[buzz, probe]", with: "[buzz, \(id)]")
      .replacing("subject: reference", with: "subject: \(subject)")
      .replacing(
        "settings:\n  engine: [delayline]\n  windowMs: [10, 20]\n  crossfadeMs: [5]",
        with: "settings: {}")
    let outcome = try await Sweep(Plan.decoded(text), corpus: corpus, store: store).run(jobs: 2)
    #expect(outcome.computed == 2 && outcome.end == .complete)
    return try store.run().cells
  }

  private func failure(_ cells: [CellResult], _ id: String) -> String? {
    guard case .failed(let reason) = cells.first(where: { $0.recording == id })?.outcome else {
      return nil
    }
    return reason
  }

  @Test func anEmptyCorpusIsNamed() throws {
    try scratch.write(TemporaryFolder.manifestHeader, to: "Empty/manifest.csv")
    let corpus = try Corpus(folder: scratch.file("Empty"))
    for plan in [
      smallPlan, smallPlan.replacing("recordings: [buzz, probe]", with: "tier: smoke"),
      smallPlan.replacing("recordings: [buzz, probe]", with: "recordings: {kind: sung}"),
    ] {
      #expect(throws: Refusal.emptyCorpus(path: corpus.folder.path)) {
        try Plan.decoded(plan).resolved(in: corpus)
      }
    }
  }

  @Test func aCorruptClipFailsAlone() async throws {
    let corpus = try corpus(with: "corrupt") { try Data("RIFF but no more".utf8).write(to: $0) }
    let cells = try await run("corrupt", in: corpus)
    #expect(failure(cells, "corrupt")?.contains("can't be read") == true)
    #expect(failure(cells, "buzz") == nil)
  }

  /// Nothing can be measured in 5 ms, and each metric has a reason.
  @Test func aClipOf5MsHasReasonsForNumbers() async throws {
    let corpus = try corpus(with: "short") {
      try Signal(tone(0.005), sampleRateHz: 48_000).write(to: $0.path)
    }
    let cells = try await run("short", in: corpus)
    #expect(failure(cells, "short") == nil)
    let cell = try #require(cells.first { $0.recording == "short" })
    #expect(cell.measurements.count == MetricChoice.everything.ofRenderings.count)
    #expect(cell.value("pitch.abs_error", voice: 0) == nil)
  }

  /// A stereo clip with one silent channel: the voice is half as loud and equally in tune.
  @Test func aStereoClipIsHeardInMono() async throws {
    let sound = tone(0.5)
    let silence = [Float](repeating: 0, count: sound.count)
    let corpus = try corpus(with: "stereo") {
      try AudioFile(channels: [sound, silence], sampleRateHz: 48_000).write(to: $0.path)
    }
    let cells = try await run("stereo", in: corpus)
    let cell = try #require(cells.first { $0.recording == "stereo" })
    #expect(cell.value("pitch.abs_error", voice: 0) != nil)
  }

  @Test func aClipOf192kHzIsMeasured() async throws {
    let corpus = try corpus(with: "fast") {
      try Signal(tone(0.5, rateHz: 192_000), sampleRateHz: 192_000).write(to: $0.path)
    }
    let cells = try await run("fast", in: corpus)
    let cell = try #require(cells.first { $0.recording == "fast" })
    #expect(cell.sampleRateHz == 192_000)
    #expect(cell.value("pitch.abs_error", voice: 0) != nil)
  }

  @Test func aSubjectThatCrashesOnOneClipFailsThereAlone() async throws {
    let corpus = try corpus(with: "deadly") {
      try Signal(tone(0.5), sampleRateHz: 48_000).write(to: $0.path)
    }
    let program = try scratch.write(
      "#!/bin/sh\n[ \"$3\" = deadly ] && kill -SEGV $$\ncp \"$1\" \"$2\"\n", to: "moody")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    try scratch.write(
      """
      id: moody
      kind: command
      command: [\(program.path), "{input}", "{output}", "{recording}", "{semitones}"]
      """, to: "Corpus/subjects/moody.yaml")
    let cells = try await run("deadly", in: corpus, subject: "moody")
    #expect(failure(cells, "deadly")?.contains("crashed: segmentation fault") == true)
    #expect(failure(cells, "buzz") == nil)
  }

  /// SQLite reports a file that may not grow like a full disk.
  @Test func aFullDiskEndsTheRunAndKeepsStoredCells() async throws {
    let corpus = try scratch.corpus()
    let store = try ResultStore(scratch.file("results.sqlite"))
    let plan = try Plan.decoded(buzzPlan)
    let sweep = try Sweep(plan, corpus: corpus, store: store)
    _ = try await sweep.run(jobs: 1, stop: StopSignal()) { _ in }
    try await store.queue.writeWithoutTransaction { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count")!
      try database.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let windows = Array(stride(from: 10, through: 60, by: 2))
    let more = try Plan.decoded(buzzPlan.replacing("[10, 20, 30, 40]", with: "\(windows)"))
    await #expect(throws: StoreError.diskFull(path: store.url.path)) {
      _ = try await Sweep(more, corpus: corpus, store: store).run(jobs: 2)
    }
    #expect(try store.measuredKeys().isSuperset(of: sweep.cells.map(\.key)))
    #expect(
      try await store.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }
}
