import Analyzer
import DSP
import Foundation
import Testing

@testable import Harmonizer

@Suite struct TruthLogTests {
  static func choir() -> Harmonizer.Settings {
    var human = Harmonizer.Voice(.explicit)
    human.expression.drift.driftCents = 10
    human.expression.jitter.jitterMs = 30
    human.expression.vibrato.extentCents = 40
    human.pan = -0.5
    return DirectedHarmonizerTests.settings([human, human, .init(intervalSemitones: 7)])
  }

  static func log(seed: UInt64) throws -> TruthLog {
    var settings = choir()
    settings.seed = seed
    let input = DirectedHarmonizerTests.voice(seconds: 0.6) { _ in 57 }
    return try DirectedHarmonizerTests.log(settings, input) { harmonizer, start in
      if start == 0 { harmonizer.setNote(60, ofVoice: 0) }
      if start == 0 { harmonizer.setNote(60, ofVoice: 1) }
    }
  }

  @Test func aSeedDeterminesTheLog() throws {
    let (first, again, other) = try (Self.log(seed: 5), Self.log(seed: 5), Self.log(seed: 6))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(first) == encoder.encode(again))
    #expect(first.blocks != other.blocks)
    // Different voices drift differently.
    let last = try #require(first.blocks.last).voices
    #expect(last[0].targetHz != last[1].targetHz)
  }

  @Test func theLogDescribesItsRun() throws {
    let log = try Self.log(seed: 1)
    #expect(log.schema == "choir-eval.truth-log/3")
    // The delay line's (20 + 10) / 2 ms; 10 ms of look-ahead, 5 ms of a hop, 1 ms of a tick.
    #expect(log.latencySamples == 720 && log.controlLatencySamples == 480 + 240 + 48)
    let data = try JSONEncoder().encode(log)
    #expect(try JSONDecoder().decode(TruthLog.self, from: data) == log)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"targetHz\":null") && !text.contains(":nan"))
    let entry = try #require(log.blocks.last).voices[0]
    #expect(entry.pan == -0.5 && entry.consonants == .kept)
    // The delay line shifts formants with the pitch.
    #expect(abs(entry.formantRatio - exp2(entry.intervalSemitones / 12)) < 1e-12)
    // The lead is A3; the tracker errs by less than 2 cents on a steady tone.
    #expect(abs(entry.leadHz! / 220 - 1) < 0.0012)
  }

  /// Settings from before voices had parts are read with their old meaning.
  @Test func oldSettingsAreStillRead() throws {
    let text = """
      {"voices": [{"intervalSemitones": -5, "gain": 0.5}, {"intervalSemitones": 7}], "dryGain": 1,
       "engine": {"engine": "delayline", "windowMs": 20, "crossfadeMs": 10}}
      """
    let read = try JSONDecoder().decode(Harmonizer.Settings.self, from: Data(text.utf8))
    var expected = Harmonizer.Settings(
      voices: [.init(intervalSemitones: -5, gain: 0.5), .init(intervalSemitones: 7)], dryGain: 1,
      engine: .delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (20, 10) }))
    #expect(read == expected)
    expected.voices += Self.choir().voices
    expected.voices[0].envelope = .init()
    let data = try JSONEncoder().encode(expected)
    #expect(try JSONDecoder().decode(Harmonizer.Settings.self, from: data) == expected)
  }

  @Test func settingsAreChecked() {
    func refuses(_ change: (inout Harmonizer.Settings) -> Void) {
      var settings = Self.choir()
      change(&settings)
      #expect(throws: SettingsError.self) { try settings.validate() }
    }
    refuses { $0.voices[0].pan = 1.1 }
    refuses { $0.voices[0].delayMs = -1 }
    refuses { $0.voices[0].detuneCents = .nan }
    refuses { $0.voices[0].expression.vibrato.rateHz = 0 }
    refuses { $0.voices[0].part.leadShare = 2 }
    refuses { $0.spread = -0.1 }
    refuses { $0.gateMs = 0 }
    refuses { $0.tracking.lookAheadMs = 61 }
  }
}
