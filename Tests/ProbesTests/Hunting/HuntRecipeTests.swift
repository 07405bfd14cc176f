import Corpus
import Foundation
import Sweep
import TestSupport
import Testing

@testable import Probes

@Suite struct HuntRecipeTests {
  private static let subject = PlantedSubject(fault: .dropout) { hz, _ in hz > 300 }

  /// Rendered and judged once for all tests.
  private static let made = Result {
    let bench = try HuntBench(subject, kinds: [.dropout, .failure])
    var point = HuntPoint.plain
    point[.note] = 68
    let judged = bench.judge(point)
    let finding = HuntFinding(
      kind: .dropout, before: judged, after: judged, worstSeverity: 1, rate: nil, perMinute: nil,
      plainSeverity: 0)
    return try HuntRecipe(finding, subject: "planted", on: bench)
  }

  private func recipe() throws -> HuntRecipe { try Self.made.get() }

  @Test(arguments: [
    "planted", "my: shifter.yaml", "a #1.yaml", "1e3", "null", "- x", "a\nb.yaml", "\"q'.yaml",
  ])
  func aRecipeComesBackFromItsFile(subject: String) throws {
    var recipe = try recipe()
    recipe.subject = subject
    let folder = try TemporaryFolder()
    let file = try folder.write(
      recipe.text(command: "choir-eval hunt --replay '\(subject)'"), to: "r.yaml")
    #expect(try HuntRecipe(reading: file) == recipe)
    #expect(try String(contentsOf: file, encoding: .utf8).contains(#""note" : 68"#))
  }

  @Test func aReplayIsEqualToTheBit() throws {
    let replay = try HuntReplay(recipe(), by: Self.subject)
    #expect(replay.isSameInput && replay.isSameOutput)
    #expect(replay.now?.amount == replay.recipe.found.amount)
  }

  @Test func aMendedSubjectIsFreeOfTheFault() throws {
    let replay = try HuntReplay(recipe(), by: PlantedSubject())
    #expect(replay.now == nil)
    #expect(replay.isSameInput && !replay.isSameOutput)
  }

  @Test(arguments: [
    ("", "is empty"), ("recipe: 1\nsong: {}", "a recipe has no 'song'"),
    ("recipe: 1\nsubject: psola", "lacks"),
  ])
  func aBrokenRecipeNamesThePlace(text: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "broken.yaml")
    #expect { try HuntRecipe(reading: file) } throws: { error in
      "\(error)".contains("broken.yaml: ") && "\(error)".contains(problem)
    }
  }
}

extension HuntRecipeTests {
  /// The kept sound is the subject's input, with the pitch that was sung.
  @Test func aKeptSoundIsARecordingWithItsTruth() throws {
    let folder = try TemporaryFolder()
    let corpus = folder.file("corpus")
    let recipe = try recipe()
    let kept = try recipe.keep(in: corpus, subject: "reference")
    #expect(kept.isNew)
    let read = try Corpus(folder: corpus)
    let recording = try read.recording(read.entry(id: kept.id))
    let point = try SungPoint(recipe.sound)
    #expect(recording.signal.samples == point.input.samples)
    let (sung, known) = (point.score.lead.f0Hz, try #require(recording.truth).f0Hz)
    #expect(zip(sung, known).allSatisfy { abs($0 - $1) <= 0.0001 })
    #expect(recording.phones?.map(\.label) == point.recording.phones?.map(\.label))
    // A second time nothing is added.
    #expect(try !recipe.keep(in: corpus, subject: "reference").isNew)
    #expect(try Corpus(folder: corpus).entries.count == 1)
  }

  @Test func aKeptSoundHasAPlanThatAsksForItsScore() throws {
    let folder = try TemporaryFolder()
    var recipe = try recipe()
    // A value with a comma is one value.
    recipe.settings = ["effects": .text("chorus(rateHz=1,depth=0.5)")]
    let kept = try recipe.keep(in: folder.file("corpus"), subject: "reference")
    let plan = try Plan(reading: kept.plan, corpusFolder: folder.file("corpus"))
    #expect(plan.recordings == [kept.id])
    #expect(plan.scores.map(\.form) == [recipe.sound.score().form])
    #expect(plan.settings.axes.map(\.values) == [Array(recipe.settings.values)])
  }
}
