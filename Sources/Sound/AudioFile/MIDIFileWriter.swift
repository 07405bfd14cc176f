import Foundation
import Platform

extension MIDIFile {
  /// Writes the file; a failed write leaves no partial file.
  public func write(to path: String) throws(MIDIFileError) {
    do { try WholeFile.write(Data(encoded), to: path) } catch {
      throw .unwritable(path, problem: error.reason)
    }
  }

  /// The bytes of the file, in format 1.
  public var encoded: [UInt8] {
    let ticks =
      switch division {
      case .ticksPerQuarter(let ticks): Self.bigEndian(ticks, 2)
      case .ticksPerFrame(let ticks, let frames): [UInt8(256 - frames), UInt8(ticks)]
      }
    var bytes = Self.chunk("MThd", [0, 1] + Self.bigEndian(tracks.count, 2) + ticks)
    for track in tracks {
      var body: [UInt8] = []
      var tick = 0
      for event in track.events {
        body += Self.variableLength(event.tick - tick) + Self.bytes(of: event.event)
        tick = event.tick
      }
      body += Self.variableLength(track.endTick - tick) + [0xFF, 0x2F, 0]
      bytes += Self.chunk("MTrk", body)
    }
    return bytes
  }

  private static func bytes(of event: Event) -> [UInt8] {
    func meta(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
      [0xFF, type] + variableLength(data.count) + data
    }
    return switch event {
    case .tempo(let length): meta(0x51, bigEndian(length, 3))
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

  /// Returns a number in 7-bit bytes, of which all but the last have bit 7 set.
  private static func variableLength(_ value: Int) -> [UInt8] {
    precondition(0..<1 << 28 ~= value, "events are in order of time")
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
