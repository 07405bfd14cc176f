import EvaluationSupport
import Foundation
import Harmonizer
import TestSupport
import Testing

@testable import Corpus
@testable import Sweep
@testable import Tuning

/// A search on rendered sound, and the preset that it recommends.
@Suite struct AdaptiveSweepTests {
  private let scratch = try! TemporaryFolder()

  /// A search over four windows on two recordings, and its tuner.
  private func search(in corpus: Corpus) throws -> (AdaptiveSweep, Tuner) {
    let plan = try Plan.decoded(smallPlan.replacing("[10, 20]", with: "[40, 20, 10, 80]"))
    let tuner = try Tuner(TuneGoal(axes: [.latency]), facts: corpus.facts(of: plan.recordings))
    let store = try ResultStore(scratch.file("results.sqlite"))
    return (try AdaptiveSweep(plan, corpus: corpus, store: store, tuner: tuner, share: 0.75), tuner)
  }

  /// The goal is latency alone, whose law is known, so the shortest window wins. The first rounds
  /// measure one slice of two, until two settings are left.
  @Test func theSearchFollowsTheLawAndWritesAPreset() async throws {
    let corpus = try scratch.corpus()
    let (search, tuner) = try search(in: corpus)
    let outcome = try await search.run(jobs: 2)
    #expect(outcome.failed.isEmpty && outcome.search.gridCells == 8)
    #expect(outcome.search.cells == search.halving.cells && outcome.search.cells <= 6)
    let answer = tuner.answer(for: outcome)
    let best = try #require(answer.recommended)
    #expect(answer.points[best].settings["windowMs"] == .number(10))
    #expect(answer.points.count == 4)
    #expect(answer.points.count { $0.droppedAfterRound == 1 } == 2)
    // A second search finds everything stored.
    #expect(try await search.run(jobs: 2).computed == 0)

    let tuned = try TunedPreset(
      answer, place: best, name: "mine", run: outcome.run, corpus: corpus, command: "tune")
    let files = try tuned.write(to: scratch.file("mine.json"))
    #expect(files.map(\.lastPathComponent) == ["mine.json", "mine.evidence.json"])
    let preset = try Preset(json: Data(contentsOf: files[0]))
    guard case .delayLine(let engine)? = preset.harmonizer?.engine else {
      Issue.record("another engine")
      return
    }
    #expect(engine.windowMs == 10 && engine.crossfadeMs == 5)
    #expect(preset.harmonizer?.voices.count == 1)
    let evidence = try String(contentsOf: files[1], encoding: .utf8)
    #expect(evidence.contains("corpusDigest") && evidence.contains("\"command\" : \"tune\""))
  }

  /// A recording is gone: its four cells fail in the first round, and the second leaves them alone.
  /// It computes two cells of the probe.
  @Test func failedCellsAreTriedOnce() async throws {
    let (search, _) = try search(in: scratch.corpus())
    try FileManager.default.removeItem(at: scratch.file("Corpus/audio/buzz.wav"))
    #expect(search.halving.rounds.map(\.slices) == [1, 2])
    let outcome = try await search.run(jobs: 2)
    #expect(outcome.failed.count == 4 && outcome.computed == 6)
  }
}
