import Corpus
import DSP
import Foundation
import Metrics
import Subjects
import Testing

@testable import Reporting
@testable import Sweep
@testable import Tuning

@Suite struct ListenerWeightsTests {
  /// Six choirs on six clips, out of tune and moved in formants by amounts of their own.
  private struct Choirs {
    let test: ListeningTest
    var run: StoredRun
    var pooled: PooledAnswers

    /// - Parameter points: points that a step of each fault costs.
    init(_ points: [TuneAxis: Double], noise: Double, seed: UInt64 = 3) throws {
      let room = PooledAnswersTests.Room(systems: 6, clips: 6)
      let test = room.test(.rating)
      var random = SeededGenerator(seed: seed)
      var (cells, scores): ([CellResult], [String: Double]) = ([], [:])
      for stimulus in test.stimuli {
        let cents = 60 * random.uniform()
        let ratio = 1 + 0.5 * random.uniform()
        let cell = try Self.cell(stimulus.cell!, cents, ratio)
        cells.append(cell)
        let loss = points.reduce(0) { $0 + $1.value * TuneGoal().steps(of: cell, on: $1.key)! }
        scores[stimulus.id] = 90 - loss + noise * random.normal()
      }
      let answers = ["a", "b", "c"].map { name in
        (
          file: name,
          ListeningAnswers(
            test: "id", listener: name,
            answers: test.trials.map { trial in
              .init(
                trial: trial.id, scores: scores.filter { trial.stimuli.contains($0.key) },
                preferred: nil, seconds: 60)
            })
        )
      }
      self.test = test
      pooled = try PooledAnswers(answers, to: test)
      run = try Self.run(cells)
    }

    private static func cell(_ key: String, _ cents: Double, _ ratio: Double) throws -> CellResult {
      CellResult(
        key: key, recording: key, kind: "sung", score: Score(id: "third", intervalsSemitones: [4]),
        subject: "reference", settings: [:], sampleRateHz: 48_000,
        outcome: .measured(
          Measurements([
            "pitch.residual": [.value(cents, voice: 0, count: 100)],
            "formant.ratio": [.value(ratio, voice: 0, count: 100)],
          ])))
    }

    private static func run(_ cells: [CellResult]) throws -> StoredRun {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
      defer { try? FileManager.default.removeItem(at: file) }
      try """
      name: none
      title: none
      subject: reference
      recordings: [vowel]
      scores: [{id: third, intervalsSemitones: [4]}]
      """.write(to: file, atomically: true, encoding: .utf8)
      return StoredRun(
        plan: try Plan(reading: file), startedAt: "", finishedAt: "", cells: cells,
        plannedCells: cells.count)
    }
  }

  /// Listeners mind a step of pitch three times as much as a step of formants.
  @Test func whatListenersMindWeighsMore() throws {
    let choirs = try Choirs([.pitch: 9, .formants: 3], noise: 1)
    let fitted = try ListenerWeights(fitting: choirs.pooled, to: choirs.test, in: choirs.run)
    #expect(Set(fitted.weights.keys) == ["pitch", "formants"])
    let (pitch, formants) = (fitted.weights["pitch"]!, fitted.weights["formants"]!)
    #expect(abs(pitch + formants - 2) < 1e-9)
    // Six clips of 9 to 3 points and one of 6 to 6: the difference of 6 shrinks by 6 / 7, to 2.5 to 1.
    #expect(abs(pitch / formants - 2.5) < 0.4)
    #expect(fitted.listeners == 3 && fitted.clips == 6)
  }

  /// Scores that rise with the faults give no weights.
  @Test func scoresThatRiseWithFaultsGiveNone() throws {
    let choirs = try Choirs([.pitch: -5, .formants: -5], noise: 0)
    #expect(throws: ListeningError.noWeights) {
      try ListenerWeights(fitting: choirs.pooled, to: choirs.test, in: choirs.run)
    }
  }

  /// A weight multiplies the steps of its fault, and latency stays.
  @Test func weightsMultiplySteps() throws {
    var goal = TuneGoal()
    goal.weights = ListenerWeights(
      test: "t", listeners: 12, clips: 4, weights: [.pitch: 2, .formants: 0])
    #expect(goal.steps(.pitch, 10) == 2 && goal.steps(.formants, 50) == 0)
    #expect(goal.steps(.clicks, 4) == 1 && goal.steps(.latency, 30) == 3)
    #expect(goal.weights?.words == "Weights from 12 listeners on 4 clips (t).")
  }

  @Test func aFileWithoutWeightsIsRefused() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    func read(_ text: String) throws -> ListenerWeights {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return try ListenerWeights(reading: file)
    }
    func text(_ axis: String, _ weight: String) -> String {
      """
      {"schema": "choir-eval.listener-weights/1", "test": "t", "listeners": 2, "clips": 1,
       "weights": {"\(axis)": \(weight)}}
      """
    }
    #expect(try read(text("pitch", "1.5")).weight(of: .pitch) == 1.5)
    for (text, words) in [
      (text("latency", "1"), "'latency' is no fault"), (text("pitch", "-1"), "'pitch' weighs -1.0"),
      ("{}", "it has another form"),
    ] {
      let error = #expect(throws: ListenerWeights.Unreadable.self) { try read(text) }
      #expect(error?.description.contains(words) == true)
    }
  }
}
