import Effects
import Harmonizer
import Testing

@testable import choir

@Suite struct LiveControlsTests {
  private static func preset(_ chain: String) throws -> Preset {
    Preset("p", "", effects: try EffectChain(parsing: chain))
  }

  /// A frequency moves by ratios: the middle of 20 to 20,000 Hz is 632 Hz. A mix moves by differences.
  @Test func aControllerMovesAParameterOverItsRange() throws {
    let controls = try LiveControls(parsing: "74=lowpass.cutoffHz,1=reverb.mix")
    let before = try Self.preset("(lowpass | dry) > reverb")
    let infos = LowPass.Settings.infos
    let range = try #require(infos.first { $0.name == "cutoffHz" })
    guard case .numbers(let hz) = range.allowed else {
      Issue.record("no range")
      return
    }
    for (value, wanted) in [(0, hz.lowerBound), (127, hz.upperBound)] {
      let moved = try #require(controls.moved(before, 74, to: value))
      let lowpass = try #require(moved.effects.links[0].settings as? LowPass.Settings)
      #expect(abs(lowpass.cutoffHz - wanted) < 1e-6 * wanted)
    }
    let mixed = try #require(controls.moved(before, 1, to: 127))
    #expect(mixed.effects.links[1].mix == 1 && mixed.effects.links[0] == before.effects.links[0])
    #expect(controls.moved(before, 2, to: 3) == nil)
  }

  @Test(arguments: [
    ("74", "write NUMBER=EFFECT.PARAMETER"), ("64=reverb.mix", "other than 64"),
    ("1=reverb.mix,1=reverb.mix", "controller 1 is there twice"),
    ("1=space.mix", "there is no effect 'space'"), ("1=reverb.x", "reverb has no number 'x'"),
  ])
  func mistakesAreNamed(text: String, words: String) {
    #expect { try LiveControls(parsing: text) } throws: { "\($0)".contains(words) }
  }
}
