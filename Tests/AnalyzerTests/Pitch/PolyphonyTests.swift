import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Voices with vibrato and formants of their own, alone and together.
@Suite struct PolyphonyTests {
  private static func voice(_ hz: Double, formantScale: Double = 1) -> TestVoice {
    TestVoice(formantScale: formantScale) { hz * exp2(0.02 * sin(2 * .pi * 5.5 * $0)) }
  }

  private static func polyphony(_ pitchesHz: [Double]) throws -> Polyphony {
    let sounds = pitchesHz.enumerated().map {
      voice($1, formantScale: 1 + 0.1 * Double($0)).signal()
    }
    let mix = Signal.sum(of: sounds)
    return try Polyphony(of: mix, track: PitchTracker().track(mix))
  }

  @Test(arguments: [65.0, 98, 131, 220, 392, 659, 880, 1500])
  func oneVoiceIsOne(hz: Double) throws {
    #expect(try Self.polyphony([hz]).share == 0)
  }

  /// Semitones of equal temperament. An octave and a twelfth can't be distinguished from one voice.
  @Test(arguments: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16], [131.0, 220])
  func theVoicesOfAnIntervalAreMeasured(semitones: Int, hz: Double) throws {
    let pitches = [hz, hz * exp2(Double(semitones) / 12)]
    let found = try Self.polyphony(pitches)
    #expect(found.isMostly, "share \(found.share)")
    try #require(found.voicesHz.count == 2)
    for (measured, sung) in zip(found.voicesHz, pitches) {
      // Medians over instants of a vibrato of ±24 cents.
      #expect(abs(cents(measured, over: sung)) < 24)
    }
  }

  @Test func noVoiceIsNoPolyphony() throws {
    let silence = Signal([Float](repeating: 0, count: 24_000), sampleRateHz: 48_000)
    let found = try Polyphony(of: silence, track: PitchTracker().track(silence))
    #expect(found.share == 0 && found.voicesHz.isEmpty)
  }

  /// Every other period of a rough voice is weaker: harmonics between the harmonics, of one voice.
  @Test func aRoughVoiceIsOne() throws {
    var turns = 0.0
    let plain = Self.voice(180)
    let samples = plain.signal().samples.enumerated().map { n, sample -> Float in
      turns += plain.f0Hz(Double(n) / 48_000) / 48_000
      return sample * Float(1 + 0.3 * cos(.pi * turns))
    }
    let rough = Signal(samples, sampleRateHz: 48_000)
    #expect(try Polyphony(of: rough, track: PitchTracker().track(rough)).share == 0)
  }
}
