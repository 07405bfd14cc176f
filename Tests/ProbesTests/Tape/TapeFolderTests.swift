import AudioFile
import Corpus
import DSP
import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Metrics
@testable import Probes
@testable import Subjects
@testable import Sweep

/// Folders of takes: what they hold, and what they refuse.
@Suite struct TapeFolderTests {
  private let scratch: TemporaryFolder
  private let score = Score(id: "third", intervalsSemitones: [4])
  private let output = TapeFolder.Output(channels: nil, dry: false, tape: "abc")

  init() throws { scratch = try TemporaryFolder() }

  private func take(_ settings: SubjectSettings, score: Score? = nil) -> TapeFolder.Take {
    TapeFolder.Take(
      score: score ?? self.score, settings: settings, file: "a.wav", recordings: ["buzz"],
      unmeasured: ["latency": "the delay is the recorder's"])
  }

  /// Two takes of a corpus's only voice, the second at half the level.
  private func folder(in corpus: Corpus) throws -> TapeFolder {
    let buzz = try AudioFile(corpus.recording(corpus.entry(id: "buzz")).signal)
    let soft = AudioFile(
      channels: buzz.channels.map { $0.map { $0 / 2 } }, sampleRateHz: buzz.sampleRateHz)
    var folder = try TapeFolder(scratch.file("takes"), output)
    try folder.add(take(["windowMs": .number(20)]), parts: [("buzz", buzz)])
    try folder.add(take(["windowMs": .number(40)]), parts: [("buzz", soft)])
    try folder.writeDescriptions()
    return folder
  }

  /// Each take is a setting of the plan, measured on its own files; what the tape can't show has its reason.
  @Test func takesAreASweep() async throws {
    let corpus = try scratch.corpus()
    let folder = try folder(in: corpus)
    let store = try ResultStore(scratch.file("results.sqlite"))
    let plan = try Plan(reading: folder.plan)
    _ = try await Sweep(plan, corpus: corpus, store: store).run(jobs: 1)
    let cells = try store.run(named: "takes").cells
    #expect(cells.compactMap(\.failure).isEmpty)
    #expect(cells.map(\.settings["windowMs"]?.number) == [20, 40])
    let levels = try cells.map { cell in
      try #require(cell.measurements["level.change"]?.first?.outcome.number)
    }
    #expect(abs(levels[0]) < 0.1)
    #expect(abs(levels[1] + 6.02) < 0.1)  // half the amplitude
    for cell in cells {
      for metric in ["latency.onset", "latency.alignment"] {
        #expect(
          cell.measurements[metric]
            == [.undefined(.notObservable, "the delay is the recorder's")])
      }
    }
  }

  @Test func aFolderIsContinued() throws {
    let corpus = try scratch.corpus()
    let folder = try folder(in: corpus)
    #expect(try TapeFolder(folder.url, output).takes == folder.takes)
  }

  @Test func otherPeoplesFilesStay() throws {
    try scratch.write("name: mine", to: "takes/plan.yaml")
    #expect(throws: Refusal.self) { try TapeFolder(scratch.file("takes"), output) }
  }

  @Test func takesThatDoNotFitAreRefused() throws {
    let folder = try folder(in: scratch.corpus())
    func problem(_ take: TapeFolder.Take, replacing: Bool = false) -> String {
      do {
        try folder.check(take, replacing: replacing)
        return ""
      } catch { return "\(error)" }
    }
    let same = take(["windowMs": .number(20)])
    #expect(problem(same).contains("has a take of this score at these settings"))
    #expect(problem(same, replacing: true) == "")
    #expect(problem(take([:])).contains("has the settings none"))
    #expect(problem(take(["windowMs": .text("a/b")])).contains("write letters"))
    for name in ["speed_ms", "semitones", "a/b"] {
      #expect(problem(take([name: .number(1)])).contains("can't be called '\(name)'"))
    }
    let other = Score(id: "third", intervalsSemitones: [3])
    #expect(
      problem(take(["windowMs": .number(80)], score: other)).contains("has another score 'third'"))
    #expect(problem(take(["windowMs": .number(80)])) == "")
    #expect(throws: Refusal.self) {
      try TapeFolder(folder.url, TapeFolder.Output(channels: nil, dry: true, tape: "abc"))
    }
  }
}
