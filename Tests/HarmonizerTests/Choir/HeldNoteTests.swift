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
      lead + 0.5 * sin(2 * .pi * 5.5 * $0)
    }
    let left = PitchContour(
      of: harmonizer.render(input), near: DirectedHarmonizerTests.hz(note), from: 24_000,
      width: 1_920, steps: PitchContour.steps(waves: 8)
    ).swing.cents
    #expect(left < (engine == .psola && lead < 50 ? 4 : 2), "\(left) cents")
  }
}
