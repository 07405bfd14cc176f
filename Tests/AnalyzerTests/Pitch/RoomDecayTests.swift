import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct RoomDecayTests {
  /// Six notes of 0.5 s with pauses of 0.4 s that end within `fallSeconds`.
  static func notes(fallSeconds: Double = 0.02) -> Signal {
    let pitches = [220.0, 262, 196, 247, 294, 233]
    let voice = TestVoice(seconds: 0.9 * Double(pitches.count)) {
      pitches[min(Int($0 / 0.9), pitches.count - 1)]
    }
    let sound = voice.signal()
    let samples = sound.samples.enumerated().map { index, value -> Float in
      let time = (Double(index) / sound.sampleRateHz).truncatingRemainder(dividingBy: 0.9)
      let level = min(time / 0.02, 1) * min(max((0.5 - time) / fallSeconds, 0), 1)
      return value * Float(level)
    }
    return Signal(samples, sampleRateHz: sound.sampleRateHz)
  }

  /// The estimate for the bands of every frame that the tracker analyzes.
  private static func decay(of sound: Signal) -> RoomDecay {
    let hop = 0.005
    let audible = AudibleSound(sound)
    var search = PitchSearch(
      PitchTracker.Settings(), audible, whole: audible.whole, Int(sound.durationSeconds / hop) + 1,
      hopSeconds: hop)
    var bands: [RoomDecay.Bands] = []
    search.forEachFrame { _, frame in bands.append(frame.bands) }
    return RoomDecay(bands, hopSeconds: hop)
  }

  /// Steady notes read up to 28 % short: what fluctuates above the tail passes for voice and feeds it again.
  @Test(arguments: [0.4, 0.7, 1.2])
  func theReverberationTimeIsFound(seconds: Double) {
    let found = Self.decay(of: Dose.room(Self.notes(), seconds: seconds, wetDb: -3, lateMs: 5))
    #expect(abs(found.reverberationSeconds / seconds - 1) < 0.3)
  }

  @Test func aDrySoundHasNoRoom() {
    #expect(Self.decay(of: Self.notes()).reverberationSeconds < 0.2)
  }

  @Test func silenceHasNoRoom() {
    let decay = RoomDecay([RoomDecay.Bands](repeating: .zero, count: 50), hopSeconds: 0.005)
    #expect(decay.reverberationSeconds == 0.1)
    #expect(decay.values().allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(RoomDecay([], hopSeconds: 0.005).values().isEmpty)
  }

  /// Steps of one power ratio per band and frame: the exact decay of a room of 0.6 s after an impulse.
  @Test func whatFallsAtTheRateOfTheRoomAddsNothing() {
    let hop = 0.01
    let fall = Float(pow(10, -6 * hop / 0.6))
    var bands: [RoomDecay.Bands] = []
    for _ in 0..<8 {
      var power: Float = 1
      for frame in 0..<60 {
        bands.append(RoomDecay.Bands(repeating: frame < 20 ? 1 : power / 3))
        if frame >= 20 { power *= fall }
      }
    }
    let decay = RoomDecay(bands, hopSeconds: hop)
    #expect(abs(decay.reverberationSeconds / 0.6 - 1) < 0.1)
    let values = decay.values()
    // The second of each pair is the logarithm of the power over what earlier sound leaves: 3 for the
    // voice, 1 for the tail.
    let (voice, tail) = (values[7 * 60 + 15][5], values[7 * 60 + 45][5])
    #expect(abs(voice - log(3)) < 0.2)
    #expect(abs(tail) < 0.2)
  }

  /// Only the room sounds from 150 to 350 ms after each note.
  @Test func theTailAfterANoteIsNoVoice() throws {
    let track = try PitchTracker().track(
      Dose.room(Self.notes(), seconds: 0.8, wetDb: -3, lateMs: 5))
    func share(_ from: Double, _ to: Double) -> Double {
      let flags = (0..<track.count).compactMap { i -> Bool? in
        let time = (Double(i) * track.hopSeconds).truncatingRemainder(dividingBy: 0.9)
        return time > from && time < to ? track.f0Hz[i] > 0 : nil
      }
      return Double(flags.count { $0 }) / Double(flags.count)
    }
    #expect(share(0.65, 0.85) < 0.05)
    #expect(share(0.05, 0.45) > 0.95)
  }

  /// A voice that falls by 50 dB in 2.5 s, as fast as a room of 3 s does, without any room.
  @Test func aSlowFadeStaysAVoice() throws {
    let voice = TestVoice(seconds: 3) { _ in 220 }.signal()
    let samples = voice.samples.enumerated().map { index, value in
      value * Float(pow(10, -20 * max(Double(index) / voice.sampleRateHz - 0.5, 0) / 20))
    }
    let track = try PitchTracker().track(Signal(samples, sampleRateHz: voice.sampleRateHz))
    #expect(track.voicedShare > 0.95)
  }
}
