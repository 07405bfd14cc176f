import CPluginHost
import HostProtocol

/// A sequence of events that a plugin reads, or room for those that it writes.
final class LV2EventBuffer {
  private let bytes: UnsafeMutableRawBufferPointer
  private let isInput: Bool
  private let sequence: LV2_URID
  private let chunk: LV2_URID
  private let midi: LV2_URID
  let takesMIDI: Bool

  var pointer: UnsafeMutableRawPointer { bytes.baseAddress! }

  /// Bytes of the header and the body before the first event.
  private static let header = MemoryLayout<LV2_Atom>.size
  private static let body = MemoryLayout<LV2_Atom_Sequence_Body>.size

  init(_ port: PluginDescription.Port, byteCount: Int, _ uris: LV2URIs) {
    bytes = .allocate(byteCount: byteCount, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    (isInput, takesMIDI) = (port.kind == .events, port.takesMIDI)
    sequence = uris.number(of: LV2Name.sequence)
    chunk = uris.number(of: LV2Name.chunk)
    midi = uris.number(of: LV2Name.midiEvent)
    prepare([], from: 0)
  }

  deinit { bytes.deallocate() }

  /// Writes the events of a block, or makes room for the plugin's.
  func prepare(_ events: ArraySlice<HostSession.Event>, from frame: Int) {
    guard isInput else {
      let room = LV2_Atom(size: UInt32(bytes.count - Self.header), type: chunk)
      return bytes.storeBytes(of: room, as: LV2_Atom.self)
    }
    var end = Self.header + Self.body
    for event in events where takesMIDI {
      let size = 8 + Self.header + event.bytes.count
      guard end + size + 8 <= bytes.count else { break }
      bytes.storeBytes(of: Int64(max(0, event.frame - frame)), toByteOffset: end, as: Int64.self)
      let atom = LV2_Atom(size: UInt32(event.bytes.count), type: midi)
      bytes.storeBytes(of: atom, toByteOffset: end + 8, as: LV2_Atom.self)
      UnsafeMutableRawBufferPointer(rebasing: bytes[(end + 8 + Self.header)...])
        .copyBytes(from: event.bytes)
      end += (size + 7) & ~7
    }
    bytes.storeBytes(
      of: LV2_Atom(size: UInt32(end - Self.header), type: sequence), as: LV2_Atom.self)
  }
}
