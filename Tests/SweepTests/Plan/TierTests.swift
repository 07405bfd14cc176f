import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Sweep

@Suite struct TierTests {
  /// Voices with different numbers of performances, so that a random choice would be uneven.
  private static let rows: [String] =
    [
      ("a1", "vowels-bass", "bass"), ("a2", "scale-bass", "bass"), ("a3", "slides-bass", "bass"),
      ("a4", "range-bass", "bass"), ("a5", "swell-bass", "bass"), ("a6", "vowel-a-bass", "bass"),
      ("b1", "vowels-alto", "alto"), ("b2", "scale-alto", "alto"),
      ("c1", "vowels-soprano", "soprano"), ("c2", "range-soprano", "soprano"),
      ("d1", "vowels-child", "child"), ("e1", "melody-greensleeves", "tenor"),
    ].map { "\($0.0),,synthetic:\($0.1),,CC0-1.0,us,\($0.2),sung,test" }
    + ["probe,,synthetic:impulses,,CC0-1.0,us,none,probe,impulses"]

  private let scratch = try! TemporaryFolder()

  private func corpus(_ rows: [String]) throws -> Corpus {
    try Corpus(folder: scratch.corpus(rows: rows))
  }

  @Test func aTierIsTheSameEachTimeAndInAnyOrder() throws {
    let once = try corpus(Self.rows).choice(of: .smoke).map(\.id)
    let again = try corpus(Self.rows.reversed()).choice(of: .smoke).map(\.id)
    #expect(once.sorted() == again.sorted())
    #expect(once == once.sorted(), "in the order of the manifest, which is that of the ids here")
  }

  @Test func everyVoiceComesBeforeAnyComesTwice() throws {
    let chosen = try corpus(Self.rows).choice(of: .smoke).filter { $0.kind != "probe" }
    // Half of the recordings have one voice, but it repeats only after the four others.
    #expect((4...6).contains(chosen.count))
    #expect(Set(chosen.map(\.voice)).count == min(5, chosen.count))
  }

  @Test func probesAreAlwaysIn() throws {
    for tier in Tier.allCases {
      #expect(try corpus(Self.rows).choice(of: tier).contains { $0.id == "probe" })
    }
  }

  @Test func releaseIsEverythingThatExists() throws {
    let absent =
      "gone,gone.wav,me,\(String(repeating: "0", count: 64)),CC0-1.0,me,bass,sung,missing"
    let corpus = try self.corpus(Self.rows + [absent])
    #expect(try corpus.choice(of: .release).map(\.id) == corpus.entries.dropLast().map(\.id))
  }

  @Test func aRecordingKeptForALargerTierIsInNoSmallerOne() throws {
    // Without its tier the only countertenor would be among the first to be taken.
    func rows(_ tier: String) -> [String] {
      Self.rows
        + ["late,,synthetic:patter-countertenor,,CC0-1.0,us,countertenor,sung,test,,,\(tier)"]
    }
    func tiers(_ rows: [String]) throws -> [Bool] {
      try Tier.allCases.map { try corpus(rows).choice(of: $0).contains { $0.id == "late" } }
    }
    #expect(try tiers(rows("")) == [true, true, true])
    #expect(try tiers(rows("standard")) == [false, true, true])
    #expect(try tiers(rows("release")) == [false, false, true])
    // What a tier may not take changes nothing in it.
    #expect(
      try corpus(rows("standard")).choice(of: .smoke).map(\.id)
        == corpus(Self.rows).choice(of: .smoke).map(\.id))
  }

  @Test func aStatedTechniqueCountsInTheChoice() throws {
    // Seven tenors for six places: each technique comes once before one comes twice.
    let tenors = (1...7).map {
      "t\($0),,synthetic:scale-tenor,,CC0-1.0,us,tenor,sung,test,,\($0 > 5 ? "growl\($0)" : "")"
    }
    let chosen = try corpus(tenors).choice(of: .smoke).map(\.technique)
    #expect(Set(chosen) == ["scale", "growl6", "growl7"])
  }

  @Test func registersFollowThePitch() throws {
    // G2, C4, A4 and C6 lie in the four ranges that E3, E4 and E5 divide.
    for (hz, register) in [(98.0, "low"), (261.6, "middle"), (440, "high"), (1_046.5, "top")] {
      #expect(RecordingFacts.Register(medianF0Hz: hz).rawValue == register)
    }
  }

  private static func plan(_ lines: String) throws -> Plan {
    try Plan.decoded(
      """
      name: a
      title: b
      subject: reference
      scores: [{id: up, intervalsSemitones: [4]}]
      settings: {engine: [delayline], windowMs: [20]}
      \(lines)
      """)
  }

  @Test func aPlanMayNameATier() throws {
    let corpus = try self.corpus(Self.rows)
    let plan = try Self.plan("tier: smoke").resolved(in: corpus)
    #expect(plan.recordings == (try corpus.choice(of: .smoke)).map(\.id))
    #expect(try plan.cells(in: corpus).count == plan.recordings.count)
    let listed = try Self.plan("recordings: [a1, d1]")
    #expect(try listed.resolved(in: corpus) == listed)
  }

  @Test(arguments: [
    ("tier: huge", "tier: there is no tier 'huge'; choose smoke, standard, release"),
    ("tier: smoke\nrecordings: [a1]", "has both a list of recordings and a tier; keep one"),
    ("title2: c\ntier: smoke", "the plan has no 'title2'"),
    ("listen: []", "has no recordings; list some, or choose a tier"),
  ])
  func mistakesAreNamed(lines: String, words: String) {
    let problem = #expect(throws: Plan.Problem.self) { try Self.plan(lines) }
    #expect(problem?.text.contains(words) == true, "\(problem?.text ?? "")")
  }

  @Test func listeningOutsideTheTierIsRefused() throws {
    let plan = try Self.plan("tier: smoke\nlisten: [nobody]")
    let corpus = try self.corpus(Self.rows)
    #expect(throws: Refusal.self) { try plan.resolved(in: corpus) }
    // One that is to be fetched is not in the tier either, for another reason.
    let absent =
      "nobody,gone.wav,me,\(String(repeating: "0", count: 64)),CC0-1.0,me,bass,sung,missing"
    let unfetched = try self.corpus(Self.rows + [absent])
    expectRefusal("the recording 'nobody' is missing") { try plan.resolved(in: unfetched) }
  }
}
