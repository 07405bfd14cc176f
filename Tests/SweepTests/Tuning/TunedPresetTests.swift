import EvaluationSupport
import Harmonizer
import Subjects
import TestSupport
import Testing

@testable import Corpus
@testable import Sweep
@testable import Tuning

@Suite struct TunedPresetTests {
  private let scratch = try! TemporaryFolder()

  /// The preset of a run with this one cell.
  private func tuned(_ cell: CellResult, of plan: Plan) throws -> TunedPreset {
    let answer = try Tuner(TuneGoal(axes: [.latency]), facts: []).answer(for: [cell])
    return try TunedPreset(
      answer, place: 0, name: "mine",
      run: StoredRun(plan: plan, startedAt: "", cells: [cell], plannedCells: 1),
      corpus: scratch.corpus(), command: "tune")
  }

  /// The plan's first score is not sung by these settings, which were measured with the second.
  @Test func thePresetHasTheScoreOfItsCells() throws {
    var plan = try Plan.decoded(smallPlan)
    plan.recordings = ["buzz"]
    plan.scores = [
      Score(id: "octave", intervalsSemitones: [12]),
      Score(id: "third", intervalsSemitones: [4, -5]),
    ]
    let cell = ToyRun.cell(
      "buzz",
      ["engine": .text("delayline"), "windowMs": .number(20), "crossfadeMs": .number(5)],
      ["latency.onset": 10])
    let tuned = try tuned(cell, of: plan)
    #expect(tuned.evidence.score == "third")
    #expect(
      tuned.preset?.harmonizer?.voices.map(\.part.role)
        == [VoicePart.Role.interval(semitones: 4), .interval(semitones: -5)])
  }

  /// A preset has no sample rate, which every subject may be given.
  @Test func aTunerThatWasTriedAtSeveralRatesHasAPreset() throws {
    var plan = try Plan.decoded(
      smallPlan.replacing("intervalsSemitones: [4]", with: "tuned: C chromatic"))
    plan.recordings = ["buzz"]
    var cell = ToyRun.cell(
      "buzz", ["rateHz": .number(44_100)], ["latency.onset": 10], subject: "autotuner")
    cell.score = plan.scores[0]
    let tuned = try tuned(cell, of: plan)
    #expect(tuned.preset?.autotuner != nil && tuned.evidence.notInPreset == ["rateHz"])
  }
}
