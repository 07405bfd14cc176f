import Foundation
import Testing

@testable import Singer

@Suite struct NoteLineTests {
  @Test func vibratoHasItsRateAndExtent() throws {
    var performance = held(semitones: 57, seconds: 3).withoutNoise()
    performance.notes[0].vibrato = Vibrato(extentCents: 70, rateHz: 6)
    let f0 = try performance.render().truth.f0Hz
    // It is fully grown from 1 s on; 1.9 s follow.
    let cents = f0[48_000..<139_200].map { 1200 * log2($0 / 220) }
    #expect(abs(cents.max()! - 70) < 0.1)  // controls change every 0.5 ms: at most cos(0.01) off
    #expect(abs(cents.min()! + 70) < 0.1)
    let crossings = zip(cents, cents.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(crossings - 11) <= 1)  // 1.9 s at 6 Hz
  }

  @Test func vibratoModulatesTheLevel() throws {
    var performance = held(semitones: 57, seconds: 3).withoutNoise()
    performance.notes[0].vibrato = Vibrato(extentCents: 70, rateHz: 6)
    performance.notes[0].vibrato.levelDb = 2
    let levels = try performance.render().truth.frames[2_000..<5_800].compactMap(\.sourceDb)
    #expect(abs(levels.max()! - 2) < 0.01)
    #expect(abs(levels.min()! + 2) < 0.01)
  }

  @Test func glidesAreCentredOnTheOnset() throws {
    var phrase = Phrase(voice: .tenor, beatsPerMinute: 60, leadSeconds: 0)
    phrase.sing("A2", "a")
    phrase.sing("A3", "-") { $0.glideMs = 200 }
    let f0 = try phrase.performance().withoutNoise().render().truth.f0Hz
    #expect(abs(f0[48_000 - 4_900] - 110) < 1e-9)
    #expect(abs(f0[48_000] - 110 * 2.0.squareRoot()) < 1e-6)  // half an octave at half time
    #expect(abs(f0[48_000 + 4_900] - 220) < 1e-9)
  }

  @Test func bendsPassThroughTheirPoints() throws {
    var performance = held(semitones: 57, seconds: 2).withoutNoise()
    performance.notes[0].bend = [
      BendPoint(at: 0, semitones: -2), BendPoint(at: 0.5, semitones: 12),
      BendPoint(at: 1, semitones: 0),
    ]
    let f0 = try performance.render().truth.f0Hz
    #expect(abs(f0[48_000] - 440) < 1e-6)
    #expect(abs(f0[24_000] - 220 * exp2(5.0 / 12)) < 1e-6)  // half way between -2 and 12
  }

  @Test func creakyOnsetsBeginAnOctaveBelow() throws {
    var performance = held(semitones: 57, seconds: 1)
    performance.notes[0].phonation = .ideal()
    performance.notes[0].onset = .creaky
    performance.notes[0].onsetMs = 300
    let truth = try performance.render().truth
    let first = try #require(truth.f0Hz.first { $0 > 0 })
    #expect(abs(first / 110 - 1) < 0.2)  // irregular by several percent
    #expect(abs(truth.f0Hz[24_000] - 220) < 1e-6)
  }

  @Test func breathyOnsetsBeginWithBreath() throws {
    var performance = held(semitones: 57, seconds: 1)
    performance.notes[0].onset = .breathy
    performance.notes[0].onsetMs = 400
    let frames = try performance.render().truth.frames
    func airDb(_ index: Int) -> Double { frames[index].aspirationDb! - frames[index].sourceDb! }
    #expect(airDb(80) > airDb(1_500) + 8)  // at 40 ms against 750 ms
  }
}
