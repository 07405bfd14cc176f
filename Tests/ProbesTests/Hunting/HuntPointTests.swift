import DSP
import EvaluationSupport
import Foundation
import Singer
import Testing
import Yams

@testable import Probes

@Suite struct HuntPointTests {
  @Test func aPlainPointHasNothingAwayFromPlain() {
    var point = HuntPoint.plain
    #expect(point.awayCount == 0)
    for parameter in HuntParameter.allCases { point[parameter] = parameter.plain }
    #expect(point == .plain)
    point[.note] = 40
    #expect(point.away == [.note])
    point[.note] = 60
    #expect(point == .plain)
  }

  /// All points that the search draws can be sung, within two seconds and the voice's range.
  @Test func everyDrawnPointCanBeSung() throws {
    let bench = try HuntSpace(of: PlantedSubject(), settings: [:], axes: [], givesStems: true)
    var random = SeededGenerator(seed: 5)
    var points = (0..<60).map { _ in bench.ordinary(&random) }
    points += bench.covering(60, sparseness: 0.3, &random)
    points += points.map { bench.mutated($0, &random) }
    for point in points {
      let performance = point.performance()
      try performance.validate()
      try point.score().check()
      #expect(performance.durationSeconds <= 2)
      let range = point.voice.lowestSemitones...point.voice.highestSemitones
      #expect(range.contains(point[.note]!), "\(point.words)")
    }
  }

  /// Latin hypercubes: each of ten parts once, but for the fifth that lies at an end.
  @Test func aCoveringHasEachPartOfARangeOnce() throws {
    let space = try HuntSpace(of: PlantedSubject(), settings: [:], axes: [], givesStems: true)
    var random = SeededGenerator(seed: 1)
    let points = space.covering(10, sparseness: 0, &random)
    #expect(Set(points.map { $0[.voice] }).count >= 7)
    #expect(Set(points.map { $0[.interval] }).count >= 7)
  }

  @Test func aPointIsTheSameAfterARecipe() throws {
    let space = try HuntSpace(of: PlantedSubject(), settings: [:], axes: [], givesStems: true)
    var random = SeededGenerator(seed: 7)
    for point in space.covering(50, sparseness: 0.2, &random) {
      let text = try YAMLEncoder().encode(point)
      #expect(try YAMLDecoder().decode(HuntPoint.self, from: text) == point)
    }
  }

  @Test(arguments: [
    ("note: 200", "write a number from 36 to 84"), ("vowel: y", "choose a, e, i, o, u"),
    ("pitch: 3", "a sound has no 'pitch'"), ("note: 60.3", "write 60.5"),
  ])
  func aWrongValueNamesTheRemedy(text: String, remedy: String) {
    expectError(remedy) { try YAMLDecoder().decode(HuntPoint.self, from: text) }
  }
}
