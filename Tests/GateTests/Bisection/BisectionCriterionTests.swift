import Subjects
import Testing

@testable import Gate
@testable import Metrics

@Suite struct BisectionCriterionTests {
  private typealias Change = (_ recording: Int, _ metric: String, _ voice: String?) -> Double?

  /// Chooses the criterion between two sides whose takes move by the given changes.
  private static func criterion(
    figure: String? = nil, good: [Change] = [{ _, _, _ in 0 }], bad: [Change]
  ) throws -> BisectionCriterion {
    func takes(_ changes: [Change]) -> Takes {
      let runs = changes.map { change in
        GateSamples.run(figures: ["pitch.abs_error": 5, "level.change": 0], change: change).cells
      }
      return Takes(runs[0], runs: Array(runs.dropFirst()))
    }
    let (before, after) = (takes(good), takes(bad))
    let comparison = try RunComparison(
      baseline: before, candidate: after, GateSamples.gate.settings())
    return try BisectionCriterion(
      of: comparison,
      CauseGroup.all(of: comparison.differences.filter { $0.verdict == .regression }),
      good: before, bad: after, figure: figure, ("good", "bad"))
  }

  /// The pitch moved by 4 of its minimum effects, the level of the same voice by 20: pitch stands before
  /// level, so it heads the causes although its figure moved less.
  @Test func theHeadOfTheFirstCauseIsFollowed() throws {
    let effects = ["pitch.abs_error": 4.0, "level.change": 20.0]
    let bad: Change = { _, metric, voice in
      voice == "+7" ? effects[metric]! * Metric.metric(id: metric)!.minimumEffect! : 0
    }
    let followed = try Self.criterion(bad: [bad])
    #expect(followed.figure?.figure == FigureID("pitch.abs_error", voice: "+7"))
    let chosen = try Self.criterion(figure: "level.change", bad: [bad])
    #expect(chosen.figure?.figure == FigureID("level.change", voice: "+7"))
  }

  /// Every recording is 9 cents worse. Takes of recording 3 spread on both sides by 0, 2 and 4 cents around
  /// the same median, so their deviation is 2, and it is the last to be asked.
  @Test func noiseOfTheTakesIsKnownByCell() throws {
    func takes(_ offset: Double) -> [Change] {
      [2.0, 0, 4].map { move in
        { recording, metric, voice in
          guard metric == "pitch.abs_error", voice == "+4" else { return 0 }
          return offset + (recording == 3 ? move : 2)
        }
      }
    }
    let criterion = try Self.criterion(good: takes(0), bad: takes(9))
    // Takes are kept with six digits, so equal ones differ by rounding.
    let noisy = criterion.cells.filter { $0.deviation > 1e-6 }
    #expect(noisy.map(\.address.recording) == ["r3"] && abs(noisy[0].deviation - 2) < 1e-9)
    #expect(criterion.cells.last?.address.recording == "r3")
    #expect(criterion.cells.allSatisfy { abs($0.bad! - $0.good - 9) < 1e-9 })
  }
}
