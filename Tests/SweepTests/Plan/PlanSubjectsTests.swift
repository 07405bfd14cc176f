import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Subjects
@testable import Sweep

/// Plans with several subjects, and settings that only some of them have.
@Suite struct PlanSubjectsTests {
  private func plan(_ subjects: String, settings: String = "{}") throws -> Plan {
    try Plan.decoded(
      """
      name: p
      title: t
      subjects: \(subjects)
      recordings: [buzz]
      scores: [{id: third, intervalsSemitones: [4]}]
      settings: \(settings)
      """)
  }

  private func cells(_ plan: Plan) throws -> [String] {
    let scratch = try TemporaryFolder()
    return try plan.cells(in: scratch.corpus()).map { "\($0.subjectID) \($0.settings.canonical)" }
  }

  @Test func aSubjectsFileLiesBesideThePlan() throws {
    let scratch = try TemporaryFolder()
    let plans = scratch.url.appendingPathComponent("plans")
    try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
    let lines = [
      "name: p", "subjects: [mine.yaml, missing.yaml, Corpus/plans/demo.yaml, rubberband]",
      "recordings: [buzz]",
      "scores: [{id: third, intervalsSemitones: [4]}]",
    ]
    let file = plans.appendingPathComponent("p.yaml")
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let mine = plans.appendingPathComponent("mine.yaml")
    try "id: mine".write(to: mine, atomically: true, encoding: .utf8)
    let plan = try Plan(reading: file)
    // A file that is nowhere is named where it belongs; others are looked up in the working directory.
    let missing = plans.appendingPathComponent("missing.yaml")
    #expect(
      plan.subjects.map(\.id)
        == [mine.path, missing.path, "Corpus/plans/demo.yaml", "rubberband"])
    #expect(plan.title == "p")
  }

  @Test func settingsGoToTheSubjectsAndEnginesThatHaveThem() throws {
    let plan = try plan(
      "[{id: reference, settings: {engine: [delayline, psola]}}, autotuner]",
      settings: "{windowMs: [10, 20], retuneMs: [30]}")
    // The auto-tuner has no intervals, so only its combinations are tested.
    let found = plan.subjects.map { choice in
      plan.combinations(for: choice, of: try! Subjects.subject(id: choice.id)).map(\.canonical)
    }
    #expect(
      found == [
        ["engine=delayline windowMs=10", "engine=psola", "engine=delayline windowMs=20"],
        // The default engine is the delay line.
        ["retuneMs=30 windowMs=10", "retuneMs=30 windowMs=20"],
      ])
  }

  @Test func aSubjectsOwnSettingsReplaceTheCommonOnes() throws {
    let plan = try plan(
      """
      [{id: reference, settings: {engine: [delayline], windowMs: [30]}},
      {id: reference, settings: {engine: [psola]}}]
      """, settings: "{windowMs: [10, 20], blockSize: [64]}")
    #expect(
      try cells(plan) == [
        "reference blockSize=64 engine=delayline windowMs=30",
        "reference blockSize=64 engine=psola",
      ])
    #expect(plan.settingNames == ["windowMs", "blockSize", "engine"])
  }

  @Test func sharedCombinationsAreTriedOnce() throws {
    #expect(try cells(plan("[reference, {id: reference}]")) == ["reference "])
  }

  @Test func aConstraintAppliesIfItsSettingsExist() throws {
    let plan = try plan(
      """
      [{id: reference, settings: {engine: [delayline, psola]},
      constraints: [crossfadeMs <= windowMs / 2]}]
      """, settings: "{windowMs: [10, 20], crossfadeMs: [8]}")
    #expect(
      try Set(cells(plan)) == [
        "reference crossfadeMs=8 engine=delayline windowMs=20", "reference engine=psola",
      ])
  }

  @Test func aSettingThatNoSubjectHasIsAMistake() throws {
    expectError("has no setting 'stride'") {
      try cells(plan("[reference]", settings: "{engine: [delayline], windowMs: [30], stride: [3]}"))
    }
  }

  @Test func aPlanRunsForAnotherSubject() throws {
    let plan = try plan("[{id: reference, settings: {windowMs: [10]}}, autotuner]")
    #expect(plan.with(subject: "autotuner").subjects == [SubjectChoice(id: "autotuner")])
    #expect(plan.with(subject: "reference").subjects[0].settings.names == ["windowMs"])
    #expect(plan.with(subject: "sox-pitch").subjects == [SubjectChoice(id: "sox-pitch")])
  }

  @Test func aPlanWithoutASubjectWaitsForOne() throws {
    let plan = try Plan.decoded(
      """
      name: p
      title: t
      recordings: [buzz]
      scores: [{id: third, intervalsSemitones: [4]}]
      """)
    #expect(try cells(plan.with(subject: "reference")) == ["reference "])
    expectError("names no subject; add 'subject'") { try cells(plan) }
  }

  @Test func theStoreKeepsSubjectsAsTheyWere() throws {
    let plan = try plan("[{id: reference, settings: {windowMs: [5, 12.5, 20]}}]")
    let copy = try JSONDecoder().decode(Plan.self, from: JSONEncoder.canonical.encode(plan))
    #expect(copy == plan)
  }

  @Test func theRateIsAnAxisOfEverySubject() throws {
    let plan = try plan("[reference]", settings: "{rateHz: [44100, 96000]}")
    let cells = try plan.cells(in: TemporaryFolder().corpus())
    #expect(cells.map(\.rateHz) == [44_100, 96_000])
    #expect(cells.allSatisfy { $0.subjectSettings.isEmpty })
    #expect(throws: Refusal.self) {
      try self.plan("[reference]", settings: "{rateHz: [100]}").cells(
        in: TemporaryFolder().corpus())
    }
  }

  // MARK: Parts of a plan

  private func planInParts(_ subjects: String) throws -> Plan {
    try Plan.decoded(
      """
      name: p
      title: t
      subjects: \(subjects)
      recordings: [buzz, probe]
      conditions: [clean, level(db=-30)]
      scores:
        - {id: third, intervalsSemitones: [4]}
        - {id: fifth, intervalsSemitones: [7]}
        - {id: tuned, tuned: C chromatic}
      """)
  }

  /// The auto-tuner sings no intervals and the harmonizer no key, so neither could take the whole plan.
  @Test func aSubjectGetsItsPart() throws {
    let scratch = try TemporaryFolder()
    let plan = try planInParts(
      """
      [{id: reference, recordings: ["bu*"], conditions: [clean], scores: [third, fifth]},
      {id: autotuner, scores: [tuned]}]
      """)
    let cells = try plan.cells(in: scratch.corpus()).map {
      [$0.recording.id, $0.condition.canonical, $0.score.id, $0.subjectID]
    }
    #expect(
      cells == [
        ["buzz", "clean", "third", "reference"], ["buzz", "clean", "fifth", "reference"],
        ["buzz", "clean", "tuned", "autotuner"], ["buzz", "level(db=-30)", "tuned", "autotuner"],
        ["probe", "clean", "tuned", "autotuner"],
      ])
  }

  /// A probe is heard clean, whatever the subject's conditions are.
  @Test func aProbeStaysInAPartWithoutClean() throws {
    let scratch = try TemporaryFolder()
    let plan = try planInParts("[{id: reference, conditions: [level(db=-30)], scores: [third]}]")
    let cells = try plan.cells(in: scratch.corpus()).map {
      [$0.recording.id, $0.condition.canonical]
    }
    #expect(cells == [["buzz", "level(db=-30)"], ["probe", "clean"]])
  }

  @Test(arguments: [
    ("scores: [forth]", "'forth', which is not among the plan's scores; choose from third, fifth"),
    ("conditions: [clip(overDb=3)]", "'clip(overDb=3)', which is not among the plan's conditions"),
    ("scores: []", "gives 'reference' no scores; name some"),
  ])
  func aPartThatThePlanLacksIsNamed(part: String, words: String) {
    expectError(words) { try planInParts("[{id: reference, \(part)}]") }
  }

  @Test func aRecordingThatThePlanLacksIsNamed() throws {
    let scratch = try TemporaryFolder()
    let plan = try planInParts("[{id: reference, recordings: [hum]}]")
    expectError("gives 'reference' the recording 'hum', which is not among") {
      try plan.resolved(in: scratch.corpus())
    }
  }
}
