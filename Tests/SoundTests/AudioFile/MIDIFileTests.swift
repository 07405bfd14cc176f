import Foundation
import TestSupport
import Testing

@testable import AudioFile

/// Files written byte by byte from the standard ("Standard MIDI Files 1.0", RP-001).
@Suite struct MIDIFileTests {
  /// The example of the standard's appendix, format 0: 96 ticks a quarter, 4/4, 120 beats a minute,
  /// and four notes on channels 0 to 2, with running status.
  static let appendix: [UInt8] = [
    0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0x60,
    0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 0x3B,
    0x00, 0xFF, 0x58, 0x04, 0x04, 0x02, 0x18, 0x08,  // time signature
    0x00, 0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20,  // tempo: 500,000 µs
    0x00, 0xC0, 0x05, 0x00, 0xC1, 0x2E, 0x00, 0xC2, 0x46,  // programs
    0x00, 0x92, 0x30, 0x60,  // C3 forte
    0x00, 0x3C, 0x60,  // C4 forte, running status
    0x60, 0x91, 0x43, 0x40,  // G4
    0x60, 0x90, 0x4C, 0x20,  // E5
    0x81, 0x40, 0x82, 0x30, 0x40,  // two beats later, off
    0x00, 0x3C, 0x40,
    0x00, 0x81, 0x43, 0x40,
    0x00, 0x80, 0x4C, 0x40,
    0x00, 0xFF, 0x2F, 0x00,
  ]

  @Test func readsTheExampleOfTheStandard() throws {
    let file = try MIDIFile(decoding: Self.appendix, name: "a.mid")
    #expect(file.division == .ticksPerQuarter(96))
    #expect(file.tracks.count == 1 && file.tracks[0].endTick == 384)
    #expect(
      file.tracks[0].events == [
        .init(0, .meta(type: 0x58, data: [4, 2, 24, 8])),
        .init(0, .tempo(microsecondsPerQuarter: 500_000)),
        .init(0, .channelMessage(status: 0xC0, data: [5])),
        .init(0, .channelMessage(status: 0xC1, data: [46])),
        .init(0, .channelMessage(status: 0xC2, data: [70])),
        .init(0, .noteOn(channel: 2, key: 48, velocity: 96)),
        .init(0, .noteOn(channel: 2, key: 60, velocity: 96)),
        .init(96, .noteOn(channel: 1, key: 67, velocity: 64)),
        .init(192, .noteOn(channel: 0, key: 76, velocity: 32)),
        .init(384, .noteOff(channel: 2, key: 48, velocity: 64)),
        .init(384, .noteOff(channel: 2, key: 60, velocity: 64)),
        .init(384, .noteOff(channel: 1, key: 67, velocity: 64)),
        .init(384, .noteOff(channel: 0, key: 76, velocity: 64)),
      ])
    // At 120 beats a minute four quarters are two seconds.
    #expect(file.timeline.map(\.seconds).suffix(4) == [2, 2, 2, 2])
    #expect(file.timeline[7].seconds == 0.5 && file.durationSeconds == 2)
  }

  /// Two tracks: a tempo of 60 and, after two beats, of 240 in the first; the notes in the second.
  @Test func tracksShareTheTempoMap() throws {
    let tempo: [UInt8] =
      [0, 0xFF, 0x03, 4] + Array("Solo".utf8)
      + [0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40]  // 1,000,000 µs
      + [4, 0xFF, 0x51, 3, 0x03, 0xD0, 0x90]  // 250,000 µs
      + [0, 0xFF, 0x2F, 0]
    let notes: [UInt8] =
      [0, 0xFF, 0x05, 2] + Array("la".utf8)
      + [2, 0x90, 60, 100, 0, 0xB0, 64, 127, 4, 0x90, 60, 0, 2, 0xB0, 64, 0]
      + [0, 0xFF, 0x2F, 0]
    let file = try MIDIFile(decoding: Self.file(format: 1, ticks: 2, [tempo, notes]), name: "b")
    #expect(file.tracks[0].events[0].event == .trackName("Solo"))
    #expect(file.tracks[1].events[0].event == .meta(type: 5, data: Array("la".utf8)))
    let played = file.timeline.filter { $0.track == 1 }.dropFirst()
    // Tick 2 is one beat of 1 s; tick 6 is two of those and one of 0.25 s; tick 8 is one more.
    #expect(played.map(\.seconds) == [1, 1, 2.25, 2.5])
    #expect(file.durationSeconds == 2.5)
  }

  @Test func timeCodeNeedsNoTempo() throws {
    // 25 frames of 40 ticks: milliseconds, the standard's own example.
    var bytes = Self.file(
      format: 0, ticks: 0xE728, [[0x83, 0x74, 0x90, 60, 100, 0, 0xFF, 0x2F, 0]])
    let file = try MIDIFile(decoding: bytes, name: "c")
    #expect(file.division == .ticksPerFrame(40, framesPerSecond: 25))
    #expect(abs(file.timeline[0].seconds - 0.5) < 1e-12)  // tick 500
    bytes = file.encoded
    #expect(try MIDIFile(decoding: bytes, name: "c") == file)
  }

  /// The standard's table of variable-length numbers.
  @Test(arguments: [
    (0, [0x00]), (0x40, [0x40]), (0x7F, [0x7F]), (0x80, [0x81, 0x00]), (0x2000, [0xC0, 0x00]),
    (0x3FFF, [0xFF, 0x7F]), (0x4000, [0x81, 0x80, 0x00]), (0x1F_FFFF, [0xFF, 0xFF, 0x7F]),
    (0x20_0000, [0x81, 0x80, 0x80, 0x00]), (0xFFF_FFFF, [0xFF, 0xFF, 0xFF, 0x7F]),
  ])
  func numbersHaveVariableLength(value: Int, bytes: [Int]) throws {
    let event = MIDIFile.TimedEvent(value, .noteOn(channel: 0, key: 1, velocity: 2))
    let file = MIDIFile(tracks: [.init([event])])
    let encoded = file.encoded
    #expect(encoded[22..<22 + bytes.count].map(Int.init) == bytes)
    #expect(try MIDIFile(decoding: encoded, name: "d") == file)
  }

  @Test func filesSurviveWriting() throws {
    let read = try MIDIFile(decoding: Self.appendix, name: "a.mid")
    #expect(try MIDIFile(decoding: read.encoded, name: "a.mid") == read)
    let all = MIDIFile(tracks: [
      .init(
        [
          .init(0, .trackName("Chœur")), .init(0, .tempo(microsecondsPerQuarter: 1)),
          .init(1, .controller(channel: 15, number: 64, value: 127)),
          .init(1, .pitchBend(channel: 3, value: 8191)),
          .init(200, .systemExclusive(status: 0xF0, data: [0x43, 0x12, 0xF7])),
          .init(200, .meta(type: 0x7F, data: Array(repeating: 9, count: 200))),
        ], endTick: 20_000), .init([]),
    ])
    #expect(try MIDIFile(decoding: all.encoded, name: "e") == all)
  }

  @Test func foreignChunksAndLongHeadersAreSkipped() throws {
    var bytes = Self.appendix
    bytes.insert(contentsOf: Array("XFIH".utf8) + [0, 0, 0, 2, 1, 2], at: 14)
    bytes.insert(contentsOf: [7, 7], at: 14)
    bytes[7] = 8
    #expect(
      try MIDIFile(decoding: bytes, name: "f") == MIDIFile(decoding: Self.appendix, name: "f"))
  }

  @Test(arguments: [
    ([0, 0x3C, 0x40], 22 + 1, "0x3C found, expected a status byte"),
    ([0, 0x90, 0x3C, 0x90], 22 + 3, "0x90 found, expected a data byte below 0x80"),
    ([0, 0x90, 0x3C], 22 + 3, "an event is cut off"),
    ([0, 0xFF, 0x01, 9, 65], 22 + 3, "an event announces 9 bytes, 1 are left"),
    ([0, 0xF8], 22 + 1, "the status 0xF8 is not allowed in a file"),
    ([0x80, 0x80, 0x80, 0x80, 0], 22, "a number of variable length has more than four bytes"),
    ([0, 0xFF, 0x51, 3, 0, 0, 0], 22 + 1, "a tempo is not three bytes above 0"),
    ([0, 0x90, 60, 1], 22 + 4, "a track has no end-of-track event"),
    // A meta event ends running status.
    ([0, 0x90, 60, 1, 0, 0xFF, 1, 0, 0, 60, 0], 22 + 9, "0x3C found, expected a status byte"),
  ])
  func damageIsLocated(track: [Int], byte: Int, problem: String) {
    let bytes = Self.file(format: 0, ticks: 96, [track.map { UInt8($0) }])
    #expect(throws: MIDIFileError.damaged("x.mid", atByte: byte, problem: problem)) {
      try MIDIFile(decoding: bytes, name: "x.mid")
    }
  }

  /// RP-029: "RIFF", a length, "RMID", "data", a length, and the file; other chunks may follow.
  @Test func aFileInsideRIFFIsRead() throws {
    let size = UInt8(Self.appendix.count)
    let riff =
      Array("RIFF".utf8) + [size + 12, 0, 0, 0] + Array("RMIDdata".utf8) + [size, 0, 0, 0]
    let more = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    #expect(
      try MIDIFile(decoding: riff + Self.appendix + more, name: "a.rmi")
        == MIDIFile(decoding: Self.appendix, name: "a.mid"))
  }

  /// Tracks are read as far as there are any, whatever number the header announces.
  @Test(arguments: [(0, 1), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)])
  func noTrackIsLost(format: Int, announced: Int) throws {
    let note = [UInt8](arrayLiteral: 0, 0x90, 60, 64, 96, 0x80, 60, 64, 0, 0xFF, 0x2F, 0)
    var bytes = Self.file(format: UInt8(format), ticks: 96, [note, note, note])
    bytes[11] = UInt8(announced)
    let file = try MIDIFile(decoding: bytes, name: "a.mid")
    #expect(file.tracks.count == 3)
    #expect(file.played().moments.count == 6)
    let padded = try MIDIFile(decoding: bytes + [0, 0, 0, 0, 0, 0], name: "b.mid")
    #expect(padded == file)
  }

  /// A file cut anywhere gives an error and no crash.
  @Test func aTruncatedFileThrows() {
    for length in 0..<Self.appendix.count {
      #expect(throws: MIDIFileError.self) {
        try MIDIFile(decoding: Array(Self.appendix[..<length]), name: "cut.mid")
      }
    }
  }

  @Test func otherFilesThrow() throws {
    #expect(throws: MIDIFileError.notMIDI("x.wav")) {
      try MIDIFile(decoding: Array("RIFF....".utf8), name: "x.wav")
    }
    var second = Self.appendix
    second[9] = 2
    #expect(throws: MIDIFileError.unsupportedFormat("y.mid", 2)) {
      try MIDIFile(decoding: second, name: "y.mid")
    }
    do {
      _ = try MIDIFile(reading: "/nowhere/z.mid")
      Issue.record("a file that is not there was read")
    } catch { #expect(error.description.hasPrefix("/nowhere/z.mid: there is no such file")) }
  }

  @Test func filesAreWrittenAndReadBack() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes.mid")
    let file = try MIDIFile(decoding: Self.appendix, name: "a.mid")
    try file.write(to: path)
    #expect(try MIDIFile(reading: path) == file)
  }

  private static func file(format: UInt8, ticks: UInt16, _ tracks: [[UInt8]]) -> [UInt8] {
    var bytes =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)]
      + [UInt8(ticks >> 8), UInt8(ticks & 0xFF)]
    for track in tracks {
      bytes += Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
    }
    return bytes
  }
}
