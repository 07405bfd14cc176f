import DSP

@testable import Harmonizer
@testable import Music

/// Random control changes for a running harmonizer. Allocates in `init` only.
struct RandomEvents {
  private let chords: [ChordTones]
  private let keys: [Key]
  private var random = SeededGenerator(seed: 0)

  init() throws {
    chords = try ["C", "G7/B", "Am", "Fmaj7", "Bdim"].map { ChordTones(try Chord(named: $0)) }
    keys = try ["C major", "Eb dorian", "F# minor"].map { try Key(named: $0) }
  }

  /// A random number from 0 to `count` - 1.
  mutating func any(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// Applies one event, the same for the same seed.
  mutating func happen(to harmonizer: inout Harmonizer, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let voice = any(harmonizer.voiceCount)
    switch any(12) {
    case 0: harmonizer.setChord(chords[any(chords.count)])
    case 1: harmonizer.setChord(nil)
    case 2:
      let key = keys[any(keys.count)]
      harmonizer.setKey(key.tones, tonic: key.tonic.semitones)
    case 3, 4: harmonizer.press(48 + any(24), velocity: any(128))
    case 5: for key in 48..<72 { harmonizer.release(key) }
    case 6: harmonizer.setPedal(isDown: any(2) == 0)
    case 7: harmonizer.setLatch(isOn: any(2) == 0)
    case 8: harmonizer.setNote(any(4) == 0 ? nil : 48 + Double(any(240)) / 10, ofVoice: voice)
    case 9: harmonizer.setGain(Float(any(200)) / 100, ofVoice: voice, rampSamples: any(400))
    case 10: harmonizer.releaseAll()
    default: harmonizer.setShift(semitones: Double(any(480)) / 10 - 24, ofVoice: voice)
    }
  }
}
