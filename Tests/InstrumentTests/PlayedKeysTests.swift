import DSP
import Foundation
import Music
import Subjects
import TestSupport
import Testing

@testable import Instrument

@Suite struct PlayedKeysTests {
  private static let rateHz = 48_000.0

  /// A second of a sine at 440 Hz.
  private static let sample = Signal.sine(440, amplitude: 0.5, sampleRateHz: rateHz)

  private static func press(_ key: Int, at seconds: Double, velocity: Int = 127) -> ScoreEvent {
    ScoreEvent(atSeconds: seconds, .press(note: NoteNumber(Double(key)), velocity: velocity))
  }

  private static func release(_ key: Int, at seconds: Double) -> ScoreEvent {
    ScoreEvent(atSeconds: seconds, .release(note: NoteNumber(Double(key))))
  }

  /// Rising zero crossings in a second.
  private static func crossings(_ samples: ArraySlice<Float>) -> Int {
    zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }

  /// An octave up is twice the frequency; the note ends 30 ms after its release.
  @Test func aKeyIsASpeed() throws {
    var keys = PlayedKeys(Self.sample)
    keys.ownKey = 57
    let sound = try keys.sound(playing: [Self.press(69, at: 0.5), Self.release(69, at: 0.7)])
    #expect(abs(sound.durationSeconds - 0.73) < 0.001)
    #expect(sound.samples[..<24_000].allSatisfy { $0 == 0 })
    #expect(abs(Self.crossings(sound.samples[24_000..<33_600]) - 176) <= 1)  // 880 Hz for 0.2 s
  }

  /// Drums sound to their end and overlap; half the velocity is half the amplitude.
  @Test func drumsOverlap() throws {
    var keys = PlayedKeys(Self.sample)
    keys.playsToEnd = true
    let one = try keys.sound(playing: [Self.press(60, at: 0), Self.release(60, at: 0.1)])
    #expect(one.count == 48_000)
    let two = try keys.sound(
      playing: [
        Self.press(60, at: 0), Self.release(60, at: 0.1), Self.press(60, at: 0.5, velocity: 64),
        Self.release(60, at: 0.6),
      ])
    #expect(two.count == 72_000)
    let sum = one.samples[36_000] + Float(64.0 / 127) * one.samples[12_000]
    #expect(abs(two.samples[36_000] - sum) < 1e-6)
  }
}
