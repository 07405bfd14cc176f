import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer

/// A choir of all parts with all expressions, to which random events happen.
@Suite struct SweptHarmonizerTests {
  /// The choir with an event every 487 samples.
  static func swept() throws -> EventfulHarmonizer {
    var events = try RandomEvents()
    return try EventfulHarmonizer(everything(), everySamples: 487) { harmonizer, sample in
      events.happen(to: &harmonizer, seed: UInt64(sample))
    }
  }

  static func everything() -> Harmonizer.Settings {
    let register = VoiceLeading.Register(48, 70)
    let map = (0..<12).map { $0 == 6 ? nil : $0 - 12 }
    var voices: [Harmonizer.Voice] = [
      .init(intervalSemitones: -5), .init(.interval(semitones: 7)), .init(.degree(-3)),
      .init(.map(semitones: map)), .init(.chord(register)), .init(.held), .init(.held),
      .init(.pedal(key: 45)), .init(.explicit), .init(.descant),
    ]
    for voice in voices.indices.dropFirst() {
      voices[voice].consonants = ConsonantPolicy.allCases[voice % 3]
      voices[voice].expression.glide.glideMs = 20 * Double(voice)
      voices[voice].expression.drift.driftCents = 5
      voices[voice].expression.jitter.jitterMs = 15
      voices[voice].expression.scoop.depthCents = 80
      voices[voice].expression.vibrato.extentCents = 30
      voices[voice].detuneCents = Double(voice)
      voices[voice].delayMs = Double(voice)
      if voice % 2 == 0 { voices[voice].envelope = .init() }
    }
    return DirectedHarmonizerTests.settings(voices) {
      $0.dryGain = 0.5
      $0.velocityShare = 1
      $0.music.tuning = Tuning(.barbershop)
    }
  }

  /// The contract except one clause: after a bad sample the output returns to the same level, not
  /// to the same bits, since the taps go on from where a disturbed pitch has moved them.
  @Test func keepsTheProcessorContractWithRandomEvents() throws {
    let conformance = ProcessorConformance { try Self.swept() }
    #expect(try conformance.blockSizeFindings() == [])
    #expect(try conformance.resetFindings() == [])
    let calls = try conformance.realtimeFindings()
    #expect(calls == [])
  }

  /// Ten voices of gain 2 on samples up to 1, and the lead at half, never exceed 20.5. From 50 ms
  /// after the bad sample the level is within 3 dB of the undisturbed run.
  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func isFiniteAndRecovers(bad: Float) throws {
    let clean = DirectedHarmonizerTests.voice(seconds: 1) { 57 + 0.3 * sin(30 * $0) }
    var broken = clean
    broken[12_000] = bad
    var one = try Self.swept()
    var other = try Self.swept()
    let (expected, output) = (one.render(clean), other.render(broken))
    #expect(output.allSatisfy { $0.isFinite })
    // The bad sample counts as missing.
    let after = 14_400..<48_000
    #expect(output.allSatisfy { abs($0) < 20.5 })
    func level(_ samples: [Float]) -> Double {
      10 * log10(samples[after].reduce(0.0) { $0 + Double($1) * Double($1) })
    }
    #expect(abs(level(output) - level(expected)) < 3)
  }

  /// Sample rates from 8 to 192 kHz; no sample, one sample, silence and a full-scale square wave.
  @Test(arguments: [8_000.0, 44_100, 192_000])
  func staysBoundedForAnyInput(rate: Double) throws {
    let square = squareWave(periodSamples: 80, count: Int(rate / 4))
    for input in [[], [0.5], [Float](repeating: 0, count: 3_000), square] {
      var harmonizer = try Harmonizer(Self.everything(), sampleRateHz: rate)
      harmonizer.press(60)
      let output = harmonizer.render(input, blockSize: 4_096)
      #expect(output.count == input.count && output.allSatisfy { abs($0) < 20.5 })
    }
  }
}
