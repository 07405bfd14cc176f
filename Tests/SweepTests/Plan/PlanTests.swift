import EvaluationSupport
import Foundation
import Subjects
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Sweep

@Suite struct PlanTests {
  @Test func combinationsKeepTheConstraintsInTheOrderOfThePlan() throws {
    let text = smallPlan.replacing("[10, 20]", with: "[20, 10]")
      .replacing("crossfadeMs: [5]", with: "crossfadeMs: [5, 8, 10]")
    let plan = try Plan.decoded(text + "\nconstraints: [crossfadeMs <= windowMs / 2]")
    let pairs = plan.combinations(for: plan.subjects[0], of: ReferenceSubject()).map {
      [$0["windowMs"]!.number!, $0["crossfadeMs"]!.number!]
    }
    #expect(pairs == [[20, 5], [20, 8], [20, 10], [10, 5]])
  }

  @Test func theStoreKeepsThePlanAsItWas() throws {
    let plan = try Plan.decoded(smallPlan)
    let copy = try JSONDecoder().decode(Plan.self, from: JSONEncoder.canonical.encode(plan))
    #expect(copy == plan)
  }

  @Test(arguments: [
    ("title:", "titel:", "has no 'titel'; it has name, title"),
    ("windowMs: [10, 20]", "windowMs: []", "'windowMs' has no values"),
    (
      "windowMs: [10, 20]", "windowMs: 10",
      "line 10: settings.windowMs is '10'; write a list, such as [a, b]"
    ),
    ("name: small", "name: ../up", "must be letters"),
    ("[buzz, probe]", "[buzz, buzz]", "'buzz' is there twice"),
    ("intervalsSemitones", "intervals", "a score has no 'intervals'"),
    ("subject: reference", "subject: [", "is not YAML"),
    ("title: Two windows", "title: t\nconstraints: [windowMs]", "not of the form"),
    ("title: Two windows", "title: t\nconstraints: [stride < 3]", "'stride', which is no setting"),
    ("title: Two windows", "title: t\nlisten: [other]", "listens to 'other'"),
  ])
  func mistakesAreNamed(good: String, bad: String, words: String) {
    expectError(words) { try Plan.decoded(smallPlan.replacing(good, with: bad)) }
  }

  @Test func settingsTheSubjectCannotHonourAreNamedBeforeAnythingRuns() throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus()
    for (bad, words) in [
      ("windowMs: [1000]", "windowMs is 1000.0; choose 2.0 to 500.0"),
      ("stride: [3]", "has no setting 'stride'"), ("windowMs: [wide]", "write a number"),
    ] {
      let plan = try Plan.decoded(smallPlan.replacing("windowMs: [10, 20]", with: bad))
      expectError(words) { try plan.cells(in: corpus) }
    }
  }
}
