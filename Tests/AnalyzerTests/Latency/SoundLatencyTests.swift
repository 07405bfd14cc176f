import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct SoundLatencyTests {
  private static let songs = ["vowels-tenor", "melody-greensleeves", "spoken-baritone"]

  private func late(_ sound: Signal, ms: Double) -> Signal {
    Signal(
      [Float](repeating: 0, count: Int(ms * 48)) + sound.samples,
      sampleRateHz: sound.sampleRateHz)
  }

  /// A compressor of 5 ms attack, 100 ms release and ratio 6: the gain follows the level and is late
  /// itself, the sound is not.
  private func compressed(_ sound: Signal) -> Signal {
    let (attack, release) = (exp(-1 / (0.005 * 48_000)), exp(-1 / (0.1 * 48_000)))
    var levelDb = -100.0
    return Signal(
      sound.samples.map { sample in
        let now = max(-100, 20 * log10(Double(abs(sample)) + 1e-9))
        let hold = now > levelDb ? attack : release
        levelDb = hold * levelDb + (1 - hold) * now
        return sample * Float(pow(10, -max(0, levelDb + 36) * 5 / 6 / 20))
      }, sampleRateHz: sound.sampleRateHz)
  }

  /// The sound with a copy that is 8 to 16 ms later, half as strong.
  private func chorused(_ sound: Signal) -> Signal {
    let samples = sound.samples
    return Signal(
      samples.indices.map { n in
        let ms = 12 + 4 * sin(2 * .pi * 0.8 * Double(n) / 48_000)
        let place = n - Int(ms * 48)
        return samples[n] + (place < 0 ? 0 : 0.5 * samples[place])
      }, sampleRateHz: sound.sampleRateHz)
  }

  /// The singer at another pitch, 7 ms late, alone and behind effects: within 0.5 ms, or undefined.
  @Test(arguments: songs, [-5.0, 7]) func effectsMakeNoVoiceEarlier(
    song: String, semitones: Double
  ) throws {
    let lead = try Dose.song(song).0
    let oracle = late(try Dose.song(song, semitones: semitones).0, ms: 7)
    let effects: [(String, (Signal) -> Signal)] = [
      ("dry", { $0 }), ("compressor", compressed), ("chorus", chorused),
      ("compressor > chorus", { chorused(compressed($0)) }),
    ]
    for (name, effect) in effects {
      guard let found = try? SoundLatency(of: effect(oracle), from: lead) else { continue }
      #expect(abs(found.delayMs - 7) < 0.5, "\(name): \(found.delayMs) ± \(found.deviationMs)")
    }
  }

  /// A singer at another pitch and nothing else has a latency.
  @Test(arguments: songs) func aTransposedSingerHasALatency(song: String) throws {
    let lead = try Dose.song(song).0
    let defined = try [-5.0, 4, 7].compactMap { semitones -> SoundLatency? in
      let oracle = late(try Dose.song(song, semitones: semitones).0, ms: 7)
      return try? SoundLatency(of: oracle, from: lead)
    }
    #expect(defined.count >= 2)
    #expect(defined.allSatisfy { abs($0.delayMs - 7) < 0.5 && $0.deviationMs < 0.5 })
  }

  /// The waveform itself tells the delay to a fraction of a sample, behind effects too.
  @Test(arguments: songs) func anUnchangedWaveformTellsItsDelay(song: String) throws {
    let lead = try Dose.song(song).0
    let found = try SoundLatency(of: late(lead, ms: 7.5), from: lead)
    #expect(abs(found.delayMs - 7.5) < 0.02 && found.deviationMs == 0)
    if let found = try? SoundLatency(of: chorused(late(lead, ms: 7.5)), from: lead) {
      #expect(abs(found.delayMs - 7.5) < 0.5)
    }
  }

  /// A delay that alternates between two values is no single latency.
  @Test func soundsWithoutASingleLatencyThrow() throws {
    let lead = try Dose.song("vowels-tenor").0
    let oracle = try Dose.song("vowels-tenor", semitones: 4).0
    let silence = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: 48_000)
    #expect(cause { try SoundLatency(of: silence, from: lead) } == .silent)
    // Every other half second is 12 ms later than the rest.
    var halves = oracle
    for n in halves.samples.indices where n / 24_000 % 2 == 0 {
      halves.samples[n] = n < 576 ? 0 : oracle.samples[n - 576]
    }
    #expect(throws: Unmeasurable.self) { try SoundLatency(of: halves, from: lead) }
  }
}
