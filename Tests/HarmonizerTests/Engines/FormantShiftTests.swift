import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

/// Formant shifts of individual voices.
@Suite struct FormantShiftTests {
  static let engines = [Engine(.psola), Engine(.vocoder)]

  /// A resonance at 700 Hz, sung at 110 Hz.
  static func vowel(seconds: Double) -> [Float] {
    harmonics(hz: 110, seconds: seconds) { hz in
      let away = (hz - 700) / 250
      return exp(-away * away) + 0.003
    }
  }

  static func harmonics(hz: Double, seconds: Double, level: (Double) -> Double) -> [Float] {
    let partials = (1...Int(9000 / hz)).map { k in
      Partial(Double(k) * hz, level: level(Double(k) * hz))
    }
    let loudest = partials.reduce(0) { $0 + $1.level }
    return partials.sound(seconds: seconds, scale: 1 / loudest)
  }

  /// The power-weighted mean frequency from 200 to 2400 Hz.
  static func centreHz(_ sound: ArraySlice<Float>) -> Double {
    let sound = Array(sound)
    var (moment, weight) = (0.0, 0.0)
    for hz in stride(from: 200.0, to: 2400, by: 10) {
      let power = hannLine(of: sound, 0..<4800, hz: hz).power
      moment += hz * power
      weight += power
    }
    return moment / weight
  }

  /// One voice's resonance moves by its own shift, the other's stays. Harmonics 82 to 165 Hz apart
  /// sample a resonance 590 Hz wide, so its centre is known to a few per cent.
  @Test(arguments: engines) func eachVoiceHasItsOwnFormantShift(engine: Engine) throws {
    var settings = Harmonizer.Settings(
      voices: [.init(intervalSemitones: 4), .init(intervalSemitones: -5)], engine: engine)
    settings.voices[1].formantShiftSemitones = 5
    var harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
    let stems = harmonizer.renderStems(Self.vowel(seconds: 0.8)).stems
    #expect(abs(Self.centreHz(stems[0].suffix(9600)) / 700 - 1) < 0.05)
    #expect(abs(Self.centreHz(stems[1].suffix(9600)) / (700 * exp2(5.0 / 12)) - 1) < 0.05)
    #expect(abs(harmonizer.state(ofVoice: 0).formantRatio - 1) < 1e-12)
    #expect(abs(harmonizer.state(ofVoice: 1).formantRatio - exp2(5.0 / 12)) < 1e-12)
  }

  /// A change of the shift causes no click: no second difference, in which a jump stands out,
  /// exceeds those of the steady sound before and after by more than the crossfade allows.
  @Test(arguments: engines) func changesWithoutAClick(engine: Engine) throws {
    var voice = Harmonizer.Voice(intervalSemitones: 3)
    voice.formantShiftSemitones = 2
    var harmonizer = try Harmonizer(.init(voices: [voice], engine: engine), sampleRateHz: 48_000)
    let input = Self.vowel(seconds: 1.6)
    let before = harmonizer.renderStems(Array(input[..<38_400])).stems[0]
    harmonizer.setFormantShift(semitones: -4, ofVoice: 0)
    let after = harmonizer.renderStems(Array(input[38_400...])).stems[0]
    func roughest(_ sound: ArraySlice<Float>) -> Float {
      let sound = Array(sound)
      return (1..<sound.count - 1).map { abs(sound[$0 - 1] - 2 * sound[$0] + sound[$0 + 1]) }.max()!
    }
    let steady = max(roughest(before.suffix(9600)), roughest(after.suffix(9600)))
    #expect(roughest((before.suffix(100) + after.prefix(9600))[...]) < 1.5 * steady)
    #expect(abs(Self.centreHz(after.suffix(9600)) / (700 * exp2(-4.0 / 12)) - 1) < 0.05)
    // A reset restores the setting too.
    harmonizer.reset()
    #expect(harmonizer.renderStems(Array(input[..<38_400])).stems[0] == before)
  }

  @Test func unsupportedFormantShiftsAreRefused() throws {
    var voice = Harmonizer.Voice(intervalSemitones: 4)
    voice.formantShiftSemitones = 3
    let error = #expect(throws: SettingsError.self) {
      try Harmonizer.Settings(voices: [voice], engine: Engine(.delayline)).validate()
    }
    #expect(
      error?.description
        == "formantShiftSemitones of voice 1 is 3.0, which the engine delayline cannot do; "
        + "choose 0, or the engine psola or vocoder")
    let moved = Engine.psola(.init { $0.formantShiftSemitones = 10 })
    #expect(throws: SettingsError.self) {
      try Harmonizer.Settings(voices: [voice], engine: moved).validate()
    }
    #expect(!Engine(.delayline).movesFormants)
    var bank = try DelayLineBank(shiftsSemitones: [4], .init(), sampleRateHz: 48_000)
    bank.setFormantShift(semitones: 3, ofVoice: 0)
    #expect(bank.state(ofVoice: 0).formantShiftSemitones == 0)
  }

  @Test func theShiftIsCodedWithTheVoice() throws {
    var voice = Harmonizer.Voice(intervalSemitones: 4)
    voice.formantShiftSemitones = -2.5
    let data = try JSONEncoder().encode(voice)
    #expect(try JSONDecoder().decode(Harmonizer.Voice.self, from: data) == voice)
    let old = try JSONDecoder().decode(
      Harmonizer.Voice.self, from: Data(#"{"intervalSemitones": 4}"#.utf8))
    #expect(old.formantShiftSemitones == 0)
  }
}
