import Foundation
import Music
import TestSupport
import Testing

@testable import AudioFile

/// Compares with mido and pretty_midi through the vectors of `scripts/vectors/midi.py`.
@Suite struct NoteSequenceMIDITests {
  private struct Vectors: Decodable {
    struct File: Decodable {
      var bytes: String
      /// Start and end in seconds, key, and velocity of each note.
      var notes: [[Double]]
      /// Seconds and value of each pedal event.
      var pedals: [[Double]]
      /// Seconds and semitones of each bend.
      var bends: [[Double]]
      /// Beats and microseconds per quarter note of each tempo.
      var tempi: [[Double]]
      var signatures: [Signature]
    }
    struct Signature: Decodable {
      var beats: Double
      var text: String

      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        beats = try list.decode(Double.self)
        text = try list.decode(String.self)
      }
    }

    var files: [File]
  }

  private static func vectors() throws -> Vectors { try golden("midi.json", as: Vectors.self) }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)!
    }
  }

  /// Times agree with pretty_midi within a microsecond; tempi and signatures are those of mido.
  @Test func readNotesAreThoseOfOtherPrograms() throws {
    for known in try Self.vectors().files {
      let file = try MIDIFile(decoding: Self.bytes(known.bytes), name: "vector")
      let sequence = try NoteSequence(file)
      let notes = sequence.notes.flatMap { note in
        note.press.map { key in
          [
            sequence.seconds(atBeats: note.atBeats),
            sequence.seconds(atBeats: note.atBeats + note.forBeats), key.semitones,
            Double(note.velocity ?? 127),
          ]
        }
      }
      let sorted = notes.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(sorted.count == known.notes.count)
      for (note, expected) in zip(sorted, known.notes) {
        #expect(zip(note, expected).allSatisfy { abs($0 - $1) < 1e-6 })
      }
      // Bends of the only channel; setting a wheel to its current position is not an event.
      let bends = file.played().moments.compactMap { moment in
        if case .bend(let semitones) = moment.event { [moment.atSeconds, semitones] } else { nil }
      }
      #expect(bends.count == known.bends.count)
      for (bend, expected) in zip(bends, known.bends) {
        #expect(zip(bend, expected).allSatisfy { abs($0 - $1) < 1e-6 })
      }
      #expect(sequence.pedal.count == 1 && known.pedals.count == 2)
      #expect(
        abs(sequence.seconds(atBeats: sequence.pedal[0].fromBeats) - known.pedals[0][0]) < 1e-6)
      #expect(sequence.tempo.changes.map(\.atBeats) == known.tempi.map { $0[0] })
      for (change, expected) in zip(sequence.tempo.changes, known.tempi) {
        #expect(abs(change.beatsPerMinute * expected[1] / 60_000_000 - 1) < 1e-12)
      }
      #expect(sequence.timeSignature.changes.map(\.atBeats) == known.signatures.map(\.beats))
      #expect(
        sequence.timeSignature.changes.map(\.timeSignature.description)
          == known.signatures.map(\.text))
    }
  }

  /// Repeated presses of a key before its release: the first press is released first.
  @Test func keysMayOverlapThemselves() throws {
    func event(_ tick: Int, _ isDown: Bool) -> MIDIFile.TimedEvent {
      .init(tick, .noteOn(channel: 3, key: 60, velocity: isDown ? 90 : 0))
    }
    let file = MIDIFile(
      division: .ticksPerQuarter(10),
      tracks: [.init([event(0, true), event(10, true), event(20, false), event(40, false)])])
    #expect(
      try NoteSequence(file).notes == [
        .init(atBeats: 0, press: [NoteNumber(60)], forBeats: 2, velocity: 90),
        .init(atBeats: 1, press: [NoteNumber(60)], forBeats: 3, velocity: 90),
      ])
  }

  /// Keys and pedals that are down at the end of a file are released there; a file in frames is
  /// timed by the clock.
  @Test func hangingKeysAreReleased() throws {
    let file = MIDIFile(
      division: .ticksPerFrame(40, framesPerSecond: 25),
      tracks: [
        .init(
          [
            .init(0, .noteOn(channel: 0, key: 60, velocity: 5)),
            .init(500, .controller(channel: 0, number: 64, value: 127)),
          ], endTick: 2000)
      ])
    let sequence = try NoteSequence(file)
    #expect(
      sequence.notes == [
        .init(atBeats: 0, press: [NoteNumber(60)], forBeats: 4, velocity: 5)
      ])
    #expect(sequence.pedal == [.init(fromBeats: 1, toBeats: 4)])
    #expect(sequence.durationSeconds == 2)
  }
}
