import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Sweep

@Suite struct ConditionTextTests {
  @Test(arguments: [
    ("clean", "clean"),
    ("noise(snrDb=20,colour=pink)", "noise(snrDb=20,colour=pink,seed=1)"),
    (" noise( colour = white , snrDb = 7.5, seed=4 ) ", "noise(snrDb=7.5,colour=white,seed=4)"),
    ("room(rt60S=0.5)", "room(rt60S=0.5,directDb=5,seed=1)"),
    ("clip(overDb=6)", "clip(overDb=6)"),
    ("bandwidth(hz=4000)", "bandwidth(hz=4000)"),
    ("bleed(id=spoken-male-long,levelDb=-20)", "bleed(id=spoken-male-long,levelDb=-20)"),
    ("level(db=-30)", "level(db=-30)"),
  ])
  func everySpellingHasOneMeaning(text: String, canonical: String) throws {
    let condition = try Condition(text)
    #expect(condition.canonical == canonical)
    #expect(try Condition(canonical) == condition)
  }

  @Test(arguments: [
    (
      "fog(snrDb=20)",
      "there is no condition 'fog'; choose one of clean, noise, room, level, clip, bandwidth, bleed"
    ),
    ("noise(snr=20,snrDb=20)", "noise has no 'snr'; it has snrDb, colour, seed"),
    ("clean(db=1)", "clean has no 'db'; it takes no parameters"),
    ("noise", "noise needs snrDb; write noise(snrDb=…)"),
    ("noise(snrDb=loud)", "snrDb of noise is 'loud'; write a number"),
    ("noise(snrDb=200)", "snrDb of noise is 200.0; choose -20.0 to 80.0"),
    ("noise(snrDb=20,seed=1.5)", "seed of noise is 1.5; write a whole number"),
    ("noise(snrDb=20,colour=blue)", "colour of noise is 'blue'; choose white, pink"),
    (
      "noise(snrDb=20",
      "'noise(snrDb=20' is not a condition; write it as in 'noise(snrDb=20,colour=pink)'"
    ),
    (
      "level(db=1,db=2)",
      "'level(db=1,db=2)' is not a condition; write it as in 'noise(snrDb=20,colour=pink)'"
    ),
    ("level(db=nan)", "db of level is nan; choose -90.0 to 40.0"),
  ])
  func mistakesAreNamed(text: String, words: String) {
    let error = #expect(throws: Refusal.self) { try Condition(text) }
    #expect(error?.description == words)
  }

  private static let plan = """
    name: a
    title: b
    subject: reference
    recordings: [voice, probe]
    scores: [{id: up, intervalsSemitones: [4]}]
    settings: {engine: [delayline], windowMs: [20, 40]}
    """

  private let scratch = try! TemporaryFolder()

  private func corpus() throws -> Corpus {
    let folder = try scratch.corpus(rows: [
      "voice,,synthetic:vowels-alto,,CC0-1.0,us,alto,sung,vowels",
      "probe,,synthetic:impulses,,CC0-1.0,us,none,probe,impulses",
    ])
    return try Corpus(folder: folder)
  }

  @Test func conditionsAreAnAxisOfThePlan() throws {
    let plan = try Plan.decoded(
      Self.plan + "\nconditions: [clean, level(db=-6), \"noise(snrDb=20,colour=pink)\"]")
    let cells = try plan.cells(in: corpus())
    // With two settings: the voice under three conditions, the probe clean only.
    #expect(cells.count == 2 * (3 + 1))
    #expect(Set(cells.map(\.key)).count == cells.count)
    #expect(cells.filter { $0.recording.id == "probe" }.allSatisfy { $0.condition == .clean })
    #expect(cells.contains { $0.label.contains("voice · level(db=-6) · up") })
    let without = try Plan.decoded(Self.plan).cells(in: corpus())
    #expect(without.allSatisfy { cell in cells.contains(cell) }, "clean cells stay the same cells")
  }

  @Test(arguments: [
    ("[clean, clean]", "'clean' is there twice"),
    ("[level(db=6), level(db=6.0)]", "'level(db=6)' is there twice"),
    ("[clip(overDb=6), fog]", "conditions[1]: there is no condition 'fog'"),
  ])
  func aPlanRefusesConditions(list: String, words: String) {
    let problem = #expect(throws: Plan.Problem.self) {
      try Plan.decoded(Self.plan + "\nconditions: \(list)")
    }
    #expect(problem?.text.contains(words) == true, "\(problem?.text ?? "")")
  }

  @Test func theOtherRecordingMustExist() throws {
    let plan = try Plan.decoded(Self.plan + "\nconditions: [\"bleed(id=nobody,levelDb=-20)\"]")
    let corpus = try self.corpus()
    #expect(throws: Refusal.unknownRecording(id: "nobody", known: ["voice", "probe"])) {
      try plan.cells(in: corpus)
    }
  }
}
