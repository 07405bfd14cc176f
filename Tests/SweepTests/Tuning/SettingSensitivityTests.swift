import Testing

@testable import Corpus
@testable import Sweep
@testable import Tuning

@Suite struct SettingSensitivityTests {
  private func grid(_ levels: [[Double]], _ names: [String]) -> [SubjectSettings] {
    SettingAxes(zip(names, levels).map { .init(name: $0, values: $1.map { .number($0) }) })
      .combinations
  }

  /// The variance of 3a + 4b + 12ab over a, b in ±1 is 9 + 16 + 144, without overlap. Each setting
  /// gets half of the interaction.
  @Test func aFullGridGivesTheClassicalTerms() throws {
    let settings = grid([[-1, 1], [-1, 1], [5, 6, 7]], ["a", "b", "idle"])
    let values = settings.map { setting -> Double in
      let (a, b) = (setting["a"]!.number!, setting["b"]!.number!)
      return 100 + 3 * a + 4 * b + 12 * a * b
    }
    let found = try #require(SettingSensitivity(of: settings, values))
    #expect(found.isFullGrid)
    let expected = [("b", 16.0, 88.0), ("a", 9, 81), ("idle", 0, 0)]
    for (effect, (name, alone, share)) in zip(found.effects, expected) {
      #expect(effect.setting == name)
      // The tolerance is the rounding of sums of twelve numbers.
      #expect(abs(effect.alone - alone / 169) < 1e-12)
      #expect(abs(effect.share! - share / 169) < 1e-12)
    }
    #expect(found.interactions[0].settings == ["a", "b"])
    #expect(abs(found.interactions[0].share - 144 / 169.0) < 1e-12)
    #expect(found.interactions.dropFirst().allSatisfy { $0.share < 1e-12 })
  }

  /// A sum of two effects has no interaction, even if combinations are missing; shares sum to 1.
  @Test func aConstrainedGridAddsNoInteraction() throws {
    let rule = try #require(Constraint("crossfadeMs <= windowMs / 2"))
    let settings = grid([[10, 20, 40, 80], [2, 5, 10, 20]], ["windowMs", "crossfadeMs"])
      .filter { rule.holds(for: $0) }
    let values = settings.map { ($0["windowMs"]!.number! + $0["crossfadeMs"]!.number!) / 2 }
    let found = try #require(SettingSensitivity(of: settings, values))
    #expect(!found.isFullGrid)
    // The fit stops when effects move by less than 1e-12 of the mean.
    #expect(found.interactions[0].share < 1e-9)
    #expect(abs(found.effects.reduce(0) { $0 + $1.share! } - 1) < 1e-12)
    #expect(found.effects[0].setting == "windowMs" && found.effects[0].share! > 0.8)
  }

  /// Three times a tenth is more than 0.3 in binary numbers; three over ten is not.
  @Test func aQuotientIsExact() throws {
    let rule = try #require(Constraint("x >= y / 10"))
    #expect(rule.holds(for: ["x": .number(0.3), "y": .number(3)]))
  }

  @Test func withoutVariationThereIsNoSensitivity() {
    #expect(SettingSensitivity(of: [["a": .number(1)], ["a": .number(2)]], [3, 3]) == nil)
    #expect(SettingSensitivity(of: [["a": .number(1)]], [3]) == nil)
    #expect(SettingSensitivity(of: [], []) == nil)
  }

  /// A setting with one value, which another engine lacks, explains nothing: the engine does.
  @Test func aSettingThatNeverVariesIsNone() throws {
    let settings: [SubjectSettings] = [
      ["engine": .text("psola")], ["engine": .text("delayline"), "crossfadeMs": .number(5)],
      ["engine": .text("delayline"), "crossfadeMs": .number(5)],
    ]
    let found = try #require(SettingSensitivity(of: settings, [1, 2, 2]))
    #expect(found.effects.map(\.setting) == ["engine"])
  }

  /// A missing setting, which another engine has, is a level of its own.
  @Test func settingsMayBeMissing() throws {
    let settings: [SubjectSettings] = [
      ["engine": .text("psola")], ["engine": .text("delayline"), "windowMs": .number(10)],
      ["engine": .text("delayline"), "windowMs": .number(20)],
    ]
    let found = try #require(SettingSensitivity(of: settings, [1, 2, 4]))
    // The window, with "missing" as one of its values, explains everything.
    #expect(abs(found.effects.first { $0.setting == "windowMs" }!.alone - 1) < 1e-12)
  }
}
