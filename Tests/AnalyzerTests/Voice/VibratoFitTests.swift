import Analyzer
import Foundation
import Testing

@Suite struct VibratoFitTests {
  /// A track of the pitch in cents above 220 Hz, every 5 ms; `nil` is unvoiced.
  private static func track(seconds: Double, _ cents: (Double) -> Double?) -> PitchTrack {
    let f0Hz = (0..<Int(seconds / 0.005)).map { frame in
      cents(Double(frame) * 0.005).map { 220 * exp2($0 / 1200) } ?? 0
    }
    return PitchTrack(hopSeconds: 0.005, f0Hz: f0Hz)
  }

  private static func sine(_ rateHz: Double, _ time: Double) -> Double {
    sin(2 * .pi * rateHz * time + 1)
  }

  /// The sound follows the model, so only the search limits the accuracy.
  @Test(arguments: [4.0, 5.5, 6.3, 8], [20.0, 50, 120])
  func aSineOnASlowTrendIsFoundExactly(rateHz: Double, extentCents: Double) throws {
    let track = Self.track(seconds: 1.3) {
      30 - 40 * $0 + 25 * $0 * $0 + extentCents * Self.sine(rateHz, $0)
    }
    let fit = try VibratoFit(of: track, inSeconds: 0..<1.3)
    #expect(abs(fit.rateHz - rateHz) < 0.001)
    #expect(abs(fit.extentCents - extentCents) < 0.01)
    #expect(fit.regularity > 0.9999)
  }

  /// Two modulations of equal size each explain half.
  @Test func regularityIsTheShareOfTheSine() throws {
    let uneven = Self.track(seconds: 4) { 40 * Self.sine(5.5, $0) + 40 * Self.sine(7.7, $0) }
    let fit = try VibratoFit(of: uneven, inSeconds: 0..<4)
    #expect(abs(fit.regularity - 0.5) < 0.03)
  }

  @Test func soundsWithoutResultThrow() throws {
    func absence(_ track: PitchTrack, _ range: Range<Double>) -> Unmeasurable.Cause? {
      cause { try VibratoFit(of: track, inSeconds: range) }
    }
    let wave = Self.track(seconds: 2) { 50 * Self.sine(5.5, $0) }
    #expect(absence(wave, 0..<0.5) == .tooLittleVoice)
    #expect(absence(wave, 5..<9) == .tooLittleVoice)
    let straight = Self.track(seconds: 2) { 3 * Self.sine(5.5, $0) }
    #expect(absence(straight, 0..<2) == .noVibrato)
    let level = Self.track(seconds: 2) { _ in 0 }
    #expect(absence(level, 0..<2) == .noVibrato)
    // A modulation faster than any vibrato explains nothing within the range of rates.
    let rough = Self.track(seconds: 2) { 60 * Self.sine(31, $0) + 12 * Self.sine(6, $0) }
    #expect(absence(rough, 0..<2) == .noVibrato)
  }

  /// A scoop is excluded from the vibrato by the note's glide.
  @Test func aScoopIsExcludedFromTheVibrato() throws {
    let track = Self.track(seconds: 2) {
      $0 < 0.2 ? -300 * (1 - $0 / 0.2) : 50 * sin(2 * .pi * 5.5 * ($0 - 0.2))
    }
    let note = try #require(NoteSegmenter().notes(in: track).first)
    let glide = try #require(note.glide)
    // The note's pitch is the median of the vibrato, up to the part of a cycle.
    #expect(abs(glide.fromCents + 300) < 15)
    // The pitch is within 50 cents after five sixths of the glide.
    #expect(abs(glide.seconds - 0.2 * 5 / 6) < 0.015)
    let fit = try VibratoFit(of: track, in: note)
    #expect(abs(fit.rateHz - 5.5) < 0.03 && abs(fit.extentCents - 50) < 2)
  }

  @Test func aLevelNoteHasNoGlide() throws {
    let track = Self.track(seconds: 1) { _ in 20 }
    #expect(NoteSegmenter().notes(in: track).map(\.glide) == [nil])
  }
}
