import Foundation
import Platform

extension MIDIFile {
  /// Writes the file; a failed write leaves no partial file.
  public func write(to path: String) throws(MIDIFileError) {
    let bytes = try encoded(name: path)
    do { try WholeFile.write(Data(bytes), to: path) } catch {
      throw .unwritable(path, problem: error.reason)
    }
  }

  /// Returns the bytes of the file, without running status.
  ///
  /// - Parameter name: name of the file in errors.
  public func encoded(name: String = "the MIDI file") throws(MIDIFileError) -> [UInt8] {
    func check(_ holds: Bool, _ problem: @autoclosure () -> String) throws(MIDIFileError) {
      if !holds { throw .unwritable(name, problem: problem()) }
    }
    try check(
      format == .tracksTogether ? (1...65_535).contains(tracks.count) : tracks.count == 1,
      "\(tracks.count) tracks; format 0 has one, format 1 one or more")
    var bytes = Self.chunk(
      "MThd",
      Self.bigEndian(format.rawValue, 2) + Self.bigEndian(tracks.count, 2)
        + (try Self.bytes(of: division, name: name)))
    for track in tracks {
      var body: [UInt8] = []
      var tick = 0
      for event in track.events {
        let wait = event.tick - tick
        try check((0..<1 << 28).contains(wait), "an event at tick \(event.tick) follows \(tick)")
        try check(Self.isWritable(event.event), "a value out of range in \(event.event)")
        body += Self.variableLength(wait) + Self.bytes(of: event.event)
        tick = event.tick
      }
      let rest = track.endTick - tick
      try check((0..<1 << 28).contains(rest), "a track ends at tick \(track.endTick)")
      bytes += Self.chunk("MTrk", body + Self.variableLength(rest) + [0xFF, 0x2F, 0])
    }
    return bytes
  }

  private static func bytes(
    of division: Division, name: String
  ) throws(MIDIFileError) -> [UInt8] {
    switch division {
    case .ticksPerQuarter(let ticks) where (1...0x7FFF).contains(ticks):
      return bigEndian(ticks, 2)
    case .ticksPerFrame(let ticks, let frames)
    where (1...255).contains(ticks) && [24, 25, 29, 30].contains(frames):
      return [UInt8(256 - frames), UInt8(ticks)]
    default: throw .unwritable(name, problem: "a division of \(division)")
    }
  }

  private static func isWritable(_ event: Event) -> Bool {
    func are7Bit(_ values: Int...) -> Bool { values.allSatisfy { (0...127).contains($0) } }
    switch event {
    case .noteOn(let channel, let a, let b), .noteOff(let channel, let a, let b),
      .controller(let channel, let a, let b):
      return (0...15).contains(channel) && are7Bit(a, b)
    case .pitchBend(let channel, let value):
      return (0...15).contains(channel) && (0...16_383).contains(value)
    case .tempo(let length): return (1...0xFF_FFFF).contains(length)
    case .text: return true
    case .channelMessage(let status, let data):
      let length = [0xC0, 0xD0].contains(status & 0xF0) ? 1 : 2
      return (0x80...0xEF).contains(status) && data.count == length
        && data.allSatisfy { $0 < 0x80 }
    case .meta(let type, _): return type < 0x80 && type != 0x2F
    case .systemExclusive(let status, _): return status == 0xF0 || status == 0xF7
    }
  }

  private static func bytes(of event: Event) -> [UInt8] {
    func meta(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
      [0xFF, type] + variableLength(data.count) + data
    }
    return switch event {
    case .tempo(let length): meta(0x51, bigEndian(length, 3))
    case .text(let kind, let text): meta(kind.rawValue, Array(text.utf8))
    case .meta(let type, let data): meta(type, data)
    case .systemExclusive(let status, let data): [status] + variableLength(data.count) + data
    case .noteOn, .noteOff, .controller, .pitchBend, .channelMessage: event.messageBytes ?? []
    }
  }

  private static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + bigEndian(body.count, 4) + body
  }

  private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private static func variableLength(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
