extension MIDIFile.Event {
  /// The event as the message that a synthesizer gets, status and data; `nil` for what only a file
  /// has, such as tempo and text, and for system exclusive messages.
  public var messageBytes: [UInt8]? {
    func bytes(_ status: Int, _ channel: Int, _ first: Int, _ second: Int) -> [UInt8] {
      [UInt8(status | channel), UInt8(first & 0x7f), UInt8(second & 0x7f)]
    }
    return switch self {
    case .noteOn(let channel, let key, let velocity): bytes(0x90, channel, key, velocity)
    case .noteOff(let channel, let key, let velocity): bytes(0x80, channel, key, velocity)
    case .controller(let channel, let number, let value): bytes(0xb0, channel, number, value)
    case .pitchBend(let channel, let value): bytes(0xe0, channel, value & 0x7f, value >> 7)
    case .channelMessage(let status, let data): [status] + data
    case .tempo, .text, .meta, .systemExclusive: nil
    }
  }
}
