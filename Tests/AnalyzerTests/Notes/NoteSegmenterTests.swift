import Analyzer
import DSP
import Foundation
import Testing

@Suite struct NoteSegmenterTests {
  private static let hop = 0.005

  /// A track of the pitch in MIDI numbers at each time; `nil` is unvoiced.
  private static func track(seconds: Double, _ midi: (Double) -> Double?) -> PitchTrack {
    let f0Hz = (0..<Int((seconds / hop).rounded())).map { frame in
      midi(Double(frame) * hop).map { 440 * exp2(($0 - 69) / 12) } ?? 0
    }
    return PitchTrack(hopSeconds: hop, f0Hz: f0Hz)
  }

  private static func notes(seconds: Double, _ midi: (Double) -> Double?) throws -> [Note] {
    NoteSegmenter().notes(in: track(seconds: seconds, midi))
  }

  @Test func aHeldNoteIsOneNote() throws {
    let notes = try Self.notes(seconds: 1) { 0.2..<0.7 ~= $0 ? 60.2 : nil }
    let note = try #require(notes.first)
    #expect(notes.count == 1)
    // Frames are 5 ms apart, so the edges are known within half of that.
    #expect(abs(note.onsetSeconds - 0.2) <= 0.0026)
    #expect(abs(note.offsetSeconds - 0.7) <= 0.0026)
    #expect(note.midi == 60)
    #expect(abs(note.deviationCents - 20) < 1e-9)
    // C4 is 261.626 Hz; 20 cents more are a factor of 1.011619.
    #expect(abs(note.pitchHz - 264.666) < 0.001)
  }

  @Test(arguments: [4.5, 5.0, 6, 7], [0.0, 0.25, 0.5])
  func vibratoOfASemitoneIsOneNote(rateHz: Double, phase: Double) throws {
    let notes = try Self.notes(seconds: 2) {
      57 + sin(2 * .pi * (rateHz * $0 + phase))
    }
    #expect(notes.count == 1)
    #expect(abs(notes[0].durationSeconds - 2) < 0.01)
    // The median of a sine that ends within a cycle is off by up to the share of half a cycle.
    #expect(abs(notes[0].pitchHz - 220) < 220 * 0.01)
  }

  /// Twelve notes a second, up a scale and down, with glides over a third of each note.
  @Test func fastRunsAreNotes() throws {
    let scale = [60.0, 62, 64, 65, 67, 69, 71, 72, 74, 72, 71, 69, 67, 65, 64, 62, 60]
    let length = 1.0 / 12
    let notes = try Self.notes(seconds: 17 * length - 0.001) { time in
      let index = Int(time / length)
      let rest = time / length - Double(index)
      guard index > 0, rest < 1.0 / 3 else { return scale[index] }
      return scale[index - 1] + (scale[index] - scale[index - 1]) * rest * 3
    }
    #expect(notes.map(\.midi) == scale.map { Int($0) })
    for (index, note) in notes.enumerated() {
      // The change takes 28 ms from the beat, so its middle is 14 ms late.
      #expect(abs(note.onsetSeconds - Double(index) * length) < 0.025)
    }
  }

  @Test func chromaticRunsAreNotes() throws {
    let notes = try Self.notes(seconds: 0.999) { (60 + $0 * 10).rounded(.down) }
    #expect(notes.map(\.midi) == Array(60..<70))
  }

  /// A slide between two held notes adds no note; the notes meet in its middle.
  @Test(arguments: [0.05, 0.1, 0.2, 0.28], [-12.0, -5, 3, 7, 12])
  func glidesAreNotNotes(glide: Double, interval: Double) throws {
    let notes = try Self.notes(seconds: 1 + glide) {
      60 + interval * min(1, max(0, ($0 - 0.5) / glide))
    }
    #expect(notes.map(\.midi) == [60, 60 + Int(interval)])
    #expect(notes.allSatisfy { abs($0.deviationCents) < 10 })
    // Steps are only accurate within the minimum interval, so the middle is approximate.
    #expect(abs(notes[0].offsetSeconds - (0.5 + glide / 2)) < 0.02)
    #expect(notes[0].offsetSeconds == notes[1].onsetSeconds)
  }

  @Test func aLongGlideBelongsToNoNote() throws {
    let notes = try Self.notes(seconds: 2) { 60 + 12 * min(1, max(0, $0 - 0.5)) }
    #expect(notes.map(\.midi) == [60, 72])
    // Each note includes at most one step of the glide, about a semitone, which lasts 83 ms here.
    #expect(abs(notes[0].offsetSeconds - 0.5) < 0.15)
    #expect(abs(notes[1].onsetSeconds - 1.5) < 0.15)
  }

  @Test func aScoopBelongsToItsNote() throws {
    let notes = try Self.notes(seconds: 1) { 64 - 4 * max(0, 1 - $0 / 0.15) }
    #expect(notes.map(\.midi) == [64])
    #expect(notes[0].onsetSeconds == 0)
    #expect(abs(notes[0].deviationCents) < 1)
  }

  @Test(arguments: [(0.01, 1), (0.02, 1), (0.05, 2), (0.1, 2)])
  func onlyARealGapSeparatesEqualNotes(gap: Double, count: Int) throws {
    let notes = try Self.notes(seconds: 1) { 0.5..<0.5 + gap ~= $0 ? nil : 67 }
    #expect(notes.map(\.midi) == Array(repeating: 67, count: count))
  }

  /// An octave error of a few frames is not a note and does not split one.
  @Test(arguments: [-12.0, 12]) func octaveSlipsAreIgnored(slip: Double) throws {
    let notes = try Self.notes(seconds: 1) { 0.5..<0.54 ~= $0 ? 62 + slip : 62 }
    #expect(notes.map(\.midi) == [62])
    #expect(abs(notes[0].durationSeconds - 1) < 0.01)
  }

  /// A drift of half a semitone is still one note.
  @Test func driftIsOneNote() throws {
    #expect(try Self.notes(seconds: 2) { 60.2 - 0.25 * $0 }.count == 1)
  }

  @Test func unvoicedTracksHaveNoNotes() throws {
    #expect(try Self.notes(seconds: 0) { _ in 60 }.isEmpty)
    #expect(try Self.notes(seconds: 1) { _ in nil }.isEmpty)
    #expect(try Self.notes(seconds: 1) { $0 < 0.02 ? 60 : nil }.isEmpty)
  }
}
