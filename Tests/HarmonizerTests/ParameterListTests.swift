import DSP
import Effects
import Foundation
import Harmonizer
import Testing

/// Settings go by their lists of parameters: what the list says of ranges, words and names holds for
/// coding, validation and setting by name.
@Suite struct ParameterListTests {
  static let types: [any ParameterizedSettings.Type] =
    [
      DelayLineShifter.Settings.self, PSOLA.Settings.self, Vocoder.Settings.self,
      Harmonizer.Settings.self, Harmonizer.Voice.self, Conductor.Settings.self, VoicePart.self,
      Tuning.self, VoiceExpression.Settings.self, Glide.Settings.self, OnsetScoop.Settings.self,
      OnsetJitter.Settings.self, Vibrato.Settings.self, PitchDrift.Settings.self,
      Envelope.Settings.self, PitchCorrection.self, AutoTuner.Settings.self, Sample.Settings.self,
      Preset.self,
    ] + EffectCatalog.all.map { $0 as any ParameterizedSettings.Type }

  @Test(arguments: types.indices) func theListHolds(index: Int) throws {
    try Self.check(Self.types[index])
  }

  private static func check<Settings: ParameterizedSettings>(_ type: Settings.Type) throws {
    let names = Settings.parameters.map(\.name)
    #expect(Set(names).count == names.count && !names.isEmpty)
    let data = try JSONEncoder().encode(Settings())
    #expect(try JSONDecoder().decode(Settings.self, from: data) == Settings())
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Settings.self, from: Data(#"{"nonsense": 1}"#.utf8))
    }
    for info in Settings.infos where info.name != "seed" {
      #expect(!info.summary.isEmpty, "\(type).\(info.name)")
      var settings = Settings()
      /// Returns whether the parameter takes a value.
      func takes(_ value: ParameterValue) -> Bool { settings.set(info.name, to: value) }
      switch info.allowed {
      case .numbers(let range):
        #expect(!takes(.word("nonsense")))
        for value in [range.lowerBound, range.upperBound, range.upperBound + 1] {
          #expect(takes(.number(value)), "\(type).\(info.name)")
        }
        let error = #expect(throws: SettingsError.self) { try settings.validateParameters() }
        #expect(error?.description.contains(info.name) == true, "\(type).\(info.name)")
      case .flags:
        for isOn in [false, true] { #expect(takes(.flag(isOn))) }
      case .words(let words):
        #expect(!takes(.word("nonsense")))
        for word in words { #expect(takes(.word(word))) }
      }
    }
    var settings = Settings()
    let isSet = settings.set("nonsense", to: .number(1))
    #expect(!isSet)
  }

  /// Settings that apply to all voices reach each of them.
  @Test func commonSettingsReachEveryVoice() {
    var choir = Harmonizer.Settings(voices: [.init(.degree(3)), .init(.held)])
    func takes(_ name: String, _ value: ParameterValue) -> Bool {
      choir.setCommon(name, to: value)
    }
    #expect(takes("vibratoCents", .number(30)) && takes("consonants", .word("gated")))
    #expect(takes("seed", .number(7)) && !takes("seed", .number(-1)) && choir.seed == 7)
    #expect(choir.voices.allSatisfy { $0.expression.vibrato.extentCents == 30 })
    #expect(choir.voices.allSatisfy { $0.consonants == .gated })
    #expect(!takes("consonants", .word("loud")) && !takes("nonsense", .number(1)))
  }
}
