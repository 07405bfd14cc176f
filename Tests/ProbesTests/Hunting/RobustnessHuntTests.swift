import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Probes

@Suite struct RobustnessHuntTests {
  private func findings(_ fault: FaultyFilter.Fault) async throws -> [RobustnessFinding] {
    try await RobustnessHunt(FaultyFilter(fault: fault), settings: [:], seed: 1)
      .findings(sessions: 40, jobs: 2)
  }

  @Test func aSoundSubjectHasNoFinding() async throws {
    #expect(try await findings(.none).isEmpty)
    // Two equal runs of a random one differ as well.
    #expect(try await findings(.random).isEmpty)
  }

  @Test func aMemoryIsFoundByAReset() async throws {
    let found = try await findings(.remembers)
    #expect(found.map(\.problem.fault) == [.resetDiffers])
    let session = try #require(found.first).session
    #expect(session.resetMs != nil && session.rateHz == nil && session.block == nil)
  }

  @Test func noNumbersAreFoundByTheirLevel() async throws {
    let found = try await findings(.notANumber)
    #expect(found.map(\.problem.fault) == [.notFinite])
    // 0.4 at its peaks, times 24 dB or more.
    #expect(try #require(found.first?.session.levelDb) >= 24)
  }

  @Test func aRateThatFailsIsTheWholeSession() async throws {
    let found = try await findings(.fails)
    var session = RobustnessSession.plain
    session.rateHz = 96_000
    #expect(found.map(\.session) == [session])
    #expect(found.map(\.problem.fault) == [.fails])
  }

  @Test(arguments: [
    ("{\"block\": 0}", "'session' has block 0.0; choose 1.0 to 8192.0"),
    ("{\"silenceMs\": -1}", "silenceMs"), ("{\"resetMs\": -100}", "resetMs"),
    ("{\"rateHz\": -1}", "rateHz"),
  ])
  func aSessionOutOfRangeIsRefused(session: String, words: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "recipe: 1\nsubject: psola\nsettings: {}\nfault: fails\nsession: \(session)\nfound: x\n",
      to: "recipe.yaml")
    #expect {
      _ = try RobustnessRecipe(reading: file)
    } throws: { "\($0)".contains(words) }
  }

  /// Names that YAML reads as a key, a comment, a number, nothing or a line of its own.
  @Test func aRecipeNamesAnySubject() async throws {
    let finding = try #require(try await findings(.fails).first)
    let folder = try TemporaryFolder()
    for subject in [
      "my: shifter.yaml", "a #1.yaml", "1e3", "null", "- x", "a\nb.yaml", "\"q'.yaml",
    ] {
      let recipe = RobustnessRecipe(finding, subject: subject, settings: ["a: b": .text("c #d")])
      let file = try folder.write(
        recipe.text(command: "choir-eval hunt --replay '\(subject)'"), to: "recipe.yaml")
      #expect(try RobustnessRecipe(reading: file) == recipe, "\(subject)")
    }
  }

  @Test func blocksThatAreHeardAreFound() async throws {
    let found = try await findings(.countsBlocks)
    #expect(found.map(\.problem.fault) == [.blocksDiffer])
  }
}
