import Foundation
import Platform

extension MIDIFile {
  public init(reading path: String) throws(MIDIFileError) {
    let data: Data
    do { data = try GivenFile.data(at: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path, reason: error.problem)
    }
    try self.init(decoding: [UInt8](data), name: path)
  }

  /// Decodes a Standard MIDI File, also inside RIFF, as files named .rmi have it (RP-029).
  ///
  /// - Parameter name: name of the file in errors.
  public init(decoding bytes: [UInt8], name: String) throws(MIDIFileError) {
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "RMIDdata".utf8) {
      try self.init(decoding: Array(bytes.dropFirst(20)), name: name)
      return
    }
    guard bytes.starts(with: Array("MThd".utf8)) else { throw .notMIDI(name) }
    var reader = MIDIFileReader(bytes, name: name)
    self = try reader.file()
  }
}

/// Reads the bytes of a file in order.
private struct MIDIFileReader {
  private let bytes: [UInt8]
  private let name: String
  private var at = 0
  /// End of the current chunk.
  private var end: Int

  init(_ bytes: [UInt8], name: String) {
    (self.bytes, self.name) = (bytes, name)
    end = bytes.count
  }

  mutating func file() throws(MIDIFileError) -> MIDIFile {
    let header = try chunk()
    guard header.length >= 6 else {
      throw damaged("its header has \(header.length) bytes, expected 6")
    }
    let number = try integer(bytes: 2)
    let trackCount = try integer(bytes: 2)
    let division = try division()
    guard number < 2 else { throw .unsupportedFormat(name, number) }
    leaveChunk()
    var tracks: [MIDIFile.Track] = []
    // Some programs count too few tracks, or write several in format 0: read all that are there.
    while tracks.count < trackCount || isAtTrack {
      guard at < bytes.count else {
        throw damaged("it ends after \(tracks.count) of \(trackCount) tracks")
      }
      // Chunks of other kinds may be interspersed; the standard tells readers to skip them.
      if try chunk().kind == "MTrk" { tracks.append(try track()) }
      leaveChunk()
    }
    return MIDIFile(division: division, tracks: tracks)
  }

  /// True if the next chunk is a track.
  private var isAtTrack: Bool { bytes.dropFirst(at).starts(with: "MTrk".utf8) }

  private mutating func division() throws(MIDIFileError) -> MIDIFile.Division {
    let start = at
    let word = try integer(bytes: 2)
    if word & 0x8000 == 0 {
      guard word > 0 else { throw damaged("a quarter note has 0 ticks", at: start) }
      return .ticksPerQuarter(word)
    }
    let framesPerSecond = 256 - (word >> 8)
    guard [24, 25, 29, 30].contains(framesPerSecond), word & 0xFF > 0 else {
      throw damaged("its time code is \(framesPerSecond) × \(word & 0xFF)", at: start)
    }
    return .ticksPerFrame(word & 0xFF, framesPerSecond: framesPerSecond)
  }

  private mutating func track() throws(MIDIFileError) -> MIDIFile.Track {
    var events: [MIDIFile.TimedEvent] = []
    var tick = 0
    var running: UInt8?
    while true {
      guard at < end else { throw damaged("a track has no end-of-track event") }
      tick += try variableLength()
      let start = at
      let first = try byte()
      switch first {
      case 0xFF:
        running = nil
        let type = try byte()
        let data = try run()
        if type == 0x2F { return MIDIFile.Track(events, endTick: tick) }
        events.append(.init(tick, try meta(type, data, at: start)))
      case 0xF0, 0xF7:
        running = nil
        events.append(.init(tick, .systemExclusive(status: first, data: try run())))
      case 0xF1...0xFE:
        throw damaged("the status \(hex(first)) is not allowed in a file", at: start)
      default:
        guard let status = first >= 0x80 ? first : running else {
          throw damaged("\(hex(first)) found, expected a status byte", at: start)
        }
        if first < 0x80 { at = start }  // running status: the byte is data
        running = status
        events.append(.init(tick, try channelMessage(status)))
      }
    }
  }

  private mutating func channelMessage(_ status: UInt8) throws(MIDIFileError) -> MIDIFile.Event {
    let channel = Int(status & 0x0F)
    switch status & 0xF0 {
    case 0x80:
      return .noteOff(channel: channel, key: try dataByte(), velocity: try dataByte())
    case 0x90:
      return .noteOn(channel: channel, key: try dataByte(), velocity: try dataByte())
    case 0xB0:
      return .controller(channel: channel, number: try dataByte(), value: try dataByte())
    case 0xE0:
      let low = try dataByte()
      let high = try dataByte()
      return .pitchBend(channel: channel, value: low | high << 7)
    case 0xC0, 0xD0:
      return .channelMessage(status: status, data: [UInt8(try dataByte())])
    default:
      return .channelMessage(status: status, data: [UInt8(try dataByte()), UInt8(try dataByte())])
    }
  }

  private func meta(
    _ type: UInt8, _ data: [UInt8], at start: Int
  ) throws(MIDIFileError) -> MIDIFile.Event {
    guard type == 0x51 else { return .meta(type: type, data: data) }
    guard data.count == 3, data != [0, 0, 0] else {
      throw damaged("a tempo is not three bytes above 0", at: start)
    }
    return .tempo(microsecondsPerQuarter: data.reduce(0) { $0 << 8 | Int($1) })
  }

  /// Reads the header of the next chunk.
  private mutating func chunk() throws(MIDIFileError) -> (kind: String, length: Int) {
    let start = at
    guard at + 8 <= bytes.count else { throw damaged("it ends within a chunk's name or length") }
    let kind = String(decoding: bytes[at..<at + 4], as: UTF8.self)
    at += 4
    let length = try integer(bytes: 4)
    guard length <= bytes.count - at else {
      throw damaged(
        "a chunk '\(kind)' announces \(length) bytes, \(bytes.count - at) are left", at: start)
    }
    end = at + length
    return (kind, length)
  }

  private mutating func leaveChunk() {
    at = end
    end = bytes.count
  }

  private mutating func byte() throws(MIDIFileError) -> UInt8 {
    guard at < end else { throw damaged("an event is cut off") }
    at += 1
    return bytes[at - 1]
  }

  private mutating func dataByte() throws(MIDIFileError) -> Int {
    let value = try byte()
    guard value < 0x80 else {
      throw damaged("\(hex(value)) found, expected a data byte below 0x80", at: at - 1)
    }
    return Int(value)
  }

  /// Reads a big-endian integer.
  private mutating func integer(bytes count: Int) throws(MIDIFileError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  /// Reads a number in 7-bit bytes, of which all but the last have bit 7 set; at most four bytes.
  private mutating func variableLength() throws(MIDIFileError) -> Int {
    let start = at
    var value = 0
    for _ in 0..<4 {
      let next = try byte()
      value = value << 7 | Int(next & 0x7F)
      if next < 0x80 { return value }
    }
    throw damaged("a number of variable length has more than four bytes", at: start)
  }

  /// Reads a length and that number of bytes.
  private mutating func run() throws(MIDIFileError) -> [UInt8] {
    let start = at
    let length = try variableLength()
    guard length <= end - at else {
      throw damaged("an event announces \(length) bytes, \(end - at) are left", at: start)
    }
    at += length
    return Array(bytes[at - length..<at])
  }

  private func damaged(_ problem: String, at byte: Int? = nil) -> MIDIFileError {
    .damaged(name, atByte: byte ?? at, problem: problem)
  }

  private func hex(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
