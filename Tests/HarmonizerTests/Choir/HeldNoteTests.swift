import Foundation
import Testing

@testable import Harmonizer

/// Voices on notes of their own under a lead with a vibrato of ±50 cents.
@Suite struct HeldNoteTests {
  /// The vibrato left is at most 2 cents. Grains of a bass are cut at marks predicted from periods up to
  /// 36 ms old, which the vibrato has left by then: 4 cents.
  @Test(arguments: [Engine.Name.psola, .vocoder], [45.0, 55, 64, 71])
  func theLeadsVibratoIsNotLeft(engine: Engine.Name, lead: Double) throws {
    let note = lead + 4
    var harmonizer = try Harmonizer(
      Harmonizer.Settings(voices: [.init(.explicit)], engine: Engine(engine)),
      sampleRateHz: 48_000)
    harmonizer.setNote(note, ofVoice: 0)
    let input = DirectedHarmonizerTests.voice(seconds: 2.5) {
      lead + 0.5 * sin(2 * .pi * Self.rateHz * $0)
    }
    let left = Self.vibratoCents(
      Array(harmonizer.render(input).dropFirst(24_000)), hz: DirectedHarmonizerTests.hz(note))
    #expect(left < (engine == .psola && lead < 50 ? 4 : 2), "\(left) cents")
  }

  private static let rateHz = 5.5

  /// The extent of a vibrato in the fundamental, near `hz`: the phase of the fundamental under a Hann
  /// window of 40 ms, every 5 ms, differentiated and fitted by a sine.
  private static func vibratoCents(_ sound: [Float], hz: Double) -> Double {
    let (size, hop) = (1_920, 240)
    let phases = stride(from: 0, to: sound.count - size, by: hop).map { start -> Double in
      var (re, im) = (0.0, 0.0)
      for i in 0..<size {
        let x = Double(sound[start + i]) * (1 - cos(2 * .pi * Double(i) / Double(size)))
        let turns = hz * Double(start + i) / 48_000
        re += x * cos(2 * .pi * turns)
        im -= x * sin(2 * .pi * turns)
      }
      return atan2(im, re) / (2 * .pi)
    }
    let cents = zip(phases, phases.dropFirst()).map { before, after in
      let turns = (after - before) - (after - before).rounded()
      return 1200 * log2(1 + turns / (hz * Double(hop) / 48_000))
    }
    var (c, s) = (0.0, 0.0)
    let whole = Int(48_000 / Self.rateHz / Double(hop) * 8)  // eight waves
    for (i, value) in cents.prefix(whole).enumerated() {
      let turns = Self.rateHz * Double(i * hop) / 48_000
      c += value * cos(2 * .pi * turns)
      s += value * sin(2 * .pi * turns)
    }
    return 2 * hypot(c, s) / Double(whole)
  }
}
