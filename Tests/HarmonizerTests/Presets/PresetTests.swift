import DSP
import Effects
import Foundation
import Harmonizer
import TestSupport
import Testing

@Suite struct PresetTests {
  // MARK: The bank

  @Test func thePresetBankIsValid() throws {
    let names = PresetBank.all.map(\.name)
    #expect(names.count >= 20 && Set(names).count == names.count)
    #expect(names.starts(with: ["slow", "rabbit", "chipmunk", "vader", "echo", "reverb"]))
    for preset in PresetBank.all {
      #expect(throws: Never.self, "\(preset.name)") { try preset.validate() }
      #expect(preset.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
      #expect(!preset.summary.isEmpty && PresetBank.preset(named: preset.name) == preset)
    }
  }

  /// Rates and cents of two editions of PitchPerfect: its `playSound(rate:)` and
  /// `AVAudioUnitTimePitch.pitch`.
  @Test func presetsHaveThePitchPerfectValues() throws {
    for (name, rate) in [("slow", 0.5), ("rabbit", 2), ("fast", 1.5)] {
      let preset = try #require(PresetBank.preset(named: name))
      #expect(preset.speed == rate && preset.harmonizer == nil, "\(name)")
    }
    let cents = [
      ("chipmunk", 1200.0), ("vader", -1200), ("chipmunk-ten", 1000), ("vader-ten", -1000),
    ]
    for (name, cents) in cents {
      let preset = try #require(PresetBank.preset(named: name))
      #expect(
        preset.speed == 1
          && preset.harmonizer?.voices.map(\.part.role) == [.interval(semitones: cents / 100)],
        "\(name)")
    }
  }

  @Test func presetsComeBackFromJSON() throws {
    for preset in PresetBank.all {
      #expect(try Preset(json: preset.json) == preset, "\(preset.name)")
    }
  }

  // MARK: JSON

  @Test func omittedFieldsHaveDefaults() throws {
    let text = """
      {"name": "mine", "effects": "tremolo(rateHz=3)",
       "harmonizer": {"voices": [{"intervalSemitones": 4}], "dryGain": 1}}
      """
    let preset = try Preset(json: Data(text.utf8))
    let choir = Harmonizer.Settings(voices: [.init(intervalSemitones: 4)], dryGain: 1)
    #expect(
      preset
        == Preset(
          "mine", "", harmonizer: choir, effects: try EffectChain(parsing: "tremolo(rateHz=3)")))
  }

  @Test(arguments: [
    (#"{"name": "a", "effect": "dry"}"#, "nothing is called 'effect'; there is autotuner, effects"),
    (
      #"{"name": "a", "harmonizer": {"voices": [{"intervalSemitones": 4, "gian": 1}]}}"#,
      "nothing is called 'harmonizer.voices.0.gian'"
    ),
    (#"{"name": "a", "effects": "tremolo(rate=3)"}"#, "did you mean rateHz?"),
    (#"{"name": "a", "speed": 9}"#, "speed is 9.0; choose 0.25 to 4.0"),
  ])
  func strayKeysAreErrors(json: String, words: String) {
    do {
      _ = try Preset(json: Data(json.utf8))
      Issue.record("accepted: \(json)")
    } catch { #expect("\(error)".contains(words), "\(error)") }
  }

  // MARK: Recordings

  /// A tone at double speed is half as long and an octave higher.
  @Test func speedChangesPitchAndLength() throws {
    let fast = Preset("fast", "", speed: 2).varispeed(Signal.sine(440))
    #expect(fast.count == 24_000 && fast.sampleRateHz == 48_000)
    // The middle is a sine of 880 Hz, within the resampler's ripple of 0.001 dB.
    for i in 4000..<20_000 {
      #expect(abs(Double(fast.samples[i]) - sin(2 * .pi * 880 * Double(i) / 48_000)) < 1e-3)
    }
  }
}
