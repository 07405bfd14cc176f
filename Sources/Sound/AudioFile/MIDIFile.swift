import Foundation

/// A Standard MIDI File: tracks of events in musical time, with the tempo that converts it to
/// seconds.
///
/// Formats 0 (one track) and 1 (simultaneous tracks) are read; format 1 is written, without running
/// status.
///
/// - Source: MIDI Manufacturers Association, "Standard MIDI Files 1.0", RP-001.
public struct MIDIFile: Equatable, Sendable {
  /// The length of a tick.
  public enum Division: Equatable, Sendable {
    /// A fraction of a quarter note, 1 to 32,767; the tempo gives the quarter note's length.
    case ticksPerQuarter(Int)
    /// A fraction of a film frame: 24, 25, 29 (which means 29.97) or 30 a second.
    case ticksPerFrame(Int, framesPerSecond: Int)
  }

  /// One track of the file, usually one voice.
  public struct Track: Equatable, Sendable {
    /// Events in order of time, without the end of the track.
    public var events: [TimedEvent]
    /// Time of the track's end, not before its last event.
    public var endTick: Int

    public init(_ events: [TimedEvent], endTick: Int? = nil) {
      self.events = events
      self.endTick = max(endTick ?? 0, events.last?.tick ?? 0)
    }
  }

  /// An event with its time.
  public struct TimedEvent: Equatable, Sendable {
    /// Time from the beginning of the file.
    public var tick: Int
    public var event: Event

    public init(_ tick: Int, _ event: Event) { (self.tick, self.event) = (tick, event) }
  }

  /// One MIDI event. Channels count from 0; keys, velocities and controllers are 0 to 127.
  public enum Event: Equatable, Sendable {
    /// Start of a note, or its end if the velocity is 0.
    case noteOn(channel: Int, key: Int, velocity: Int)
    case noteOff(channel: Int, key: Int, velocity: Int)
    /// A controller change; 64 is the sustain pedal, which is down from a value of 64.
    case controller(channel: Int, number: Int, value: Int)
    /// Position of the pitch wheel: 0 to 16383, with 8192 in the middle.
    case pitchBend(channel: Int, value: Int)
    case tempo(microsecondsPerQuarter: Int)
    /// Any other channel message: its status byte, including the channel, and its data.
    case channelMessage(status: UInt8, data: [UInt8])
    /// Any other meta event, by type, such as a text.
    case meta(type: UInt8, data: [UInt8])
    /// A message that starts with 0xF0, or is continued (or escaped) by 0xF7.
    case systemExclusive(status: UInt8, data: [UInt8])

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
      case .tempo, .meta, .systemExclusive: nil
      }
    }

    /// The name of a track.
    public static func trackName(_ name: String) -> Event { .meta(type: 3, data: Array(name.utf8)) }

    /// Sets registered parameter 0, the range of the wheel, then deselects it.
    public static func bendRange(semitones: Int, channel: Int) -> [Event] {
      [(101, 0), (100, 0), (6, semitones), (38, 0), (101, 127), (100, 127)].map {
        .controller(channel: channel, number: $0, value: $1)
      }
    }
  }

  public var division: Division
  public var tracks: [Track]

  public init(division: Division = .ticksPerQuarter(480), tracks: [Track]) {
    (self.division, self.tracks) = (division, tracks)
  }
}

/// A failure to read or write a MIDI file. Each case names the file, and most a remedy.
public enum MIDIFileError: Error, Equatable, Sendable, CustomStringConvertible {
  case unreadable(String, reason: String)
  case notMIDI(String)
  case damaged(String, atByte: Int, problem: String)
  /// The file has format 2, a collection of independent patterns.
  case unsupportedFormat(String, Int)
  case unwritable(String, problem: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): \(reason)"
    case .notMIDI(let path):
      "\(path) is not a MIDI file: it does not begin with 'MThd'; export it as a Standard MIDI File"
    case .damaged(let path, let byte, let problem):
      "\(path) is damaged at byte \(byte): \(problem); copy or export it again"
    case .unsupportedFormat(let path, let format):
      "\(path) has format \(format); export it as format 0 or 1"
    case .unwritable(let path, let problem):
      "\(path) can't be written: \(problem); check the folder, its permissions and the free space"
    }
  }
}
