import DSP
import Testing

@testable import Subjects

@Suite struct LevelTrialTests {
  /// Levels that chance moves by ±4.5 dB, with a change of `db`.
  private func trial(_ db: Double, seed: UInt64) -> LevelTrial {
    var random = SeededGenerator(seed: seed)
    func pair() -> LevelTrial.Pair {
      (
        Double.random(in: -4.5...4.5, using: &random),
        Double.random(in: -4.5...4.5, using: &random) + db
      )
    }
    return LevelTrial(pair(), again: pair)
  }

  /// Chance orders six and six so in one of 462 trials.
  @Test func aRandomLevelIsNoChange() {
    #expect((1...1000).count { trial(0, seed: $0).isChanged } <= 6)
  }

  @Test func aChangeBeyondChanceIsFound() {
    let found = (1...100).map { trial(13, seed: $0) }
    #expect(found.allSatisfy { $0.isChanged })
    #expect(found.allSatisfy { abs($0.changeDb - 13) < 6 })
  }

  /// A level that is the same every time differs by what it differs by.
  @Test(arguments: [(2.9, false), (3.1, true), (-3.1, true)])
  func aSteadyLevelNeedsThreeDecibels(db: Double, isChanged: Bool) {
    var renderings = 1
    let trial = LevelTrial((-20, -20 + db)) {
      renderings += 1
      return (-20, -20 + db)
    }
    #expect(trial.isChanged == isChanged && abs(trial.changeDb - db) < 1e-12)
    #expect(renderings == (isChanged ? LevelTrial.renderings : 1))
  }
}
