import Foundation
import Music
import TestSupport
import Testing

@testable import AudioFile

/// Compares with mido and pretty_midi through the vectors of `scripts/vectors/midi.py`.
@Suite struct MIDIBeatTests {
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
      var (notes, bends, pedals): ([[Double]], [[Double]], [[Double]]) = ([], [], [])
      for moment in file.played().moments {
        let seconds = moment.atSeconds
        switch moment.event {
        case .press(let key, let velocity):
          notes.append([seconds, .nan, Double(key), Double(velocity)])
        case .release(let key):
          let index = notes.firstIndex { $0[2] == Double(key) && $0[1].isNaN }
          notes[try #require(index)][1] = seconds
        case .bend(let semitones): bends.append([seconds, semitones])
        case .pedal(let isDown): pedals.append([seconds, isDown ? 127 : 0])
        }
      }
      notes.sort { $0.lexicographicallyPrecedes($1) }
      // Setting a wheel to its current position is not an event.
      for (found, expected) in [(notes, known.notes), (bends, known.bends)] {
        #expect(found.count == expected.count)
        for (one, other) in zip(found, expected) {
          #expect(zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 })
        }
      }
      #expect(pedals.count == 2 && known.pedals.count == 2)
      #expect(zip(pedals, known.pedals).allSatisfy { abs($0[0] - $1[0]) < 1e-6 })
      let (tempo, timeSignature) = try file.beat()
      #expect(tempo.changes.map(\.atBeats) == known.tempi.map { $0[0] })
      for (change, expected) in zip(tempo.changes, known.tempi) {
        #expect(abs(change.beatsPerMinute * expected[1] / 60_000_000 - 1) < 1e-12)
      }
      #expect(timeSignature.changes.map(\.atBeats) == known.signatures.map(\.beats))
      #expect(
        timeSignature.changes.map(\.timeSignature.description) == known.signatures.map(\.text))
    }
  }

  /// A file in frames is timed by the clock, at 120 beats a minute.
  @Test func framesHaveTheTempoOfTheClock() throws {
    let file = MIDIFile(
      division: .ticksPerFrame(40, framesPerSecond: 25),
      tracks: [.init([.init(500, .meta(type: 0x58, data: [3, 2]))], endTick: 2000)])
    let (tempo, timeSignature) = try file.beat()
    #expect(tempo.changes.map(\.beatsPerMinute) == [120])
    #expect(timeSignature.changes.map(\.atBeats) == [0, 1])
  }
}
