import DSP
import Foundation
import Harmonizer
import Music
import Subjects

/// A sample played by keys, as on a sampler: each key plays it at its own speed.
///
/// - Allocates: the output, and the sample once for each key.
public struct PlayedKeys {
  /// Recording of the sample.
  public var recording: Signal
  public var settings = Sample.Settings()
  /// Key that plays the recording at its own speed.
  public var ownKey = 60
  /// True to sound until the sample's end, as drums do; false to end with the key. Notes overlap.
  public var playsToEnd = false

  /// Fall of a note whose key is released before the sample's end.
  private static let releaseSeconds = 0.03

  public init(_ recording: Signal) { self.recording = recording }

  /// Returns the sound of the notes of a score or of a MIDI file, until the last has ended.
  ///
  /// A velocity of 127 has the sample's level, half of it half the amplitude.
  public func sound(playing events: [ScoreEvent]) throws -> Signal {
    let rateHz = recording.sampleRateHz
    var samples: [Int: [Float]] = [:]
    var output: [Float] = []
    for note in HeldNote.held(by: events) {
      let key = Int(note.note.semitones.rounded())
      let sound = try samples[key] ?? sound(ofKey: key)
      samples[key] = sound
      let start = Int((note.startSeconds * rateHz).rounded())
      let release = playsToEnd ? .infinity : (note.endSeconds - note.startSeconds) * rateHz
      let fall = Self.releaseSeconds * rateHz
      let count = Int(min(Double(sound.count), release + fall))
      let missing = start + count - output.count
      if missing > 0 { output += [Float](repeating: 0, count: missing) }
      let gain = Double(note.velocity) / 127
      for i in 0..<count {
        let left = min(1, (release + fall - Double(i)) / fall)
        output[start + i] += Float(gain * left) * sound[i]
      }
    }
    return Signal(output, sampleRateHz: rateHz)
  }

  /// Returns the whole sample at the speed of a key.
  public func sound(ofKey key: Int) throws -> [Float] {
    var settings = settings
    settings.speed *= exp2(Double(key - ownKey) / 12)
    return try Sample(recording, settings).rendered(sampleRateHz: recording.sampleRateHz).samples
  }

  /// A plucked tone for hearing notes and chords: ten harmonics, each 8 dB below the one before,
  /// that halve every 0.4 s.
  public static func tone(sampleRateHz: Double = 48_000) -> PlayedKeys {
    let count = Int(3 * sampleRateHz)
    let samples = (0..<count).map { n in
      let seconds = Double(n) / sampleRateHz
      let phase = 2 * Double.pi * 440 * exp2(-9.0 / 12) * seconds
      let sum = (1...10).reduce(0.0) { $0 + pow(0.4, Double($1 - 1)) * sin(phase * Double($1)) }
      return Float(0.12 * exp2(-seconds / 0.4) * sum)
    }
    return PlayedKeys(Signal(samples, sampleRateHz: sampleRateHz))
  }
}
