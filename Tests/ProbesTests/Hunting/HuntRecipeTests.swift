import Foundation
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
