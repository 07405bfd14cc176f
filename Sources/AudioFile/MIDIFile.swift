import Foundation

/// A Standard MIDI File: tracks of events in musical time, and what turns that into seconds.
///
/// Formats 0 (one track) and 1 (tracks played together) are read and written. Every event is kept,
/// so that a file read and written again says the same, if not in the same bytes: running status
/// is read, not written.
///
/// - Source: MIDI Manufacturers Association, "Standard MIDI Files 1.0", RP-001.
public struct MIDIFile: Equatable, Sendable {
  public enum Format: Int, Sendable {
    case singleTrack = 0
    case tracksTogether = 1
  }

  /// What a tick is.
  public enum Division: Equatable, Sendable {
    /// A fraction of a quarter note, 1 to 32,767, whose length the tempo says.
    case ticksPerQuarter(Int)
    /// A fraction of a frame of film: 24, 25, 29 (which stands for 29.97) or 30 a second.
    case ticksPerFrame(Int, framesPerSecond: Int)
  }

  /// One voice of the arrangement, as its author divided it.
  public struct Track: Equatable, Sendable {
    /// In order of time; the end of the track is not among them.
    public var events: [TimedEvent]
    /// When the track ends: not before its last event.
    public var endTick: Int

    public init(_ events: [TimedEvent], endTick: Int? = nil) {
      self.events = events
      self.endTick = max(endTick ?? 0, events.last?.tick ?? 0)
    }

    /// The first track name in it.
    public var name: String? {
      events.lazy.compactMap {
        if case .text(.trackName, let text) = $0.event { text } else { nil }
      }
      .first
    }
  }

  /// An event and when it happens.
  public struct TimedEvent: Equatable, Sendable {
    /// From the beginning of the file.
    public var tick: Int
    public var event: Event

    public init(_ tick: Int, _ event: Event) { (self.tick, self.event) = (tick, event) }
  }

  /// Channels count from 0; keys, velocities and controllers are 0 to 127.
  public enum Event: Equatable, Sendable {
    /// With a velocity of 0 it ends the note.
    case noteOn(channel: Int, key: Int, velocity: Int)
    case noteOff(channel: Int, key: Int, velocity: Int)
    /// Number 64 is the sustain pedal, down from 64 on.
    case controller(channel: Int, number: Int, value: Int)
    /// The pitch wheel: 0 to 16383, 8192 in the middle.
    case pitchBend(channel: Int, value: Int)
    case tempo(microsecondsPerQuarter: Int)
    case text(TextKind, String)
    /// Any other channel message: its status byte, channel included, and its data.
    case channelMessage(status: UInt8, data: [UInt8])
    /// Any other meta event, by type.
    case meta(type: UInt8, data: [UInt8])
    /// Begun by 0xF0, or carried on (or escaped) by 0xF7.
    case systemExclusive(status: UInt8, data: [UInt8])
  }

  public enum TextKind: UInt8, CaseIterable, Sendable {
    case text = 1
    case copyright, trackName, instrument, lyric, marker, cue
  }

  public var format: Format
  public var division: Division
  public var tracks: [Track]

  public init(
    format: Format = .tracksTogether, division: Division = .ticksPerQuarter(480),
    tracks: [Track]
  ) {
    self.format = format
    self.division = division
    self.tracks = tracks
  }
}

/// Why a MIDI file can't be read or written; each case names the file and the way out.
public enum MIDIFileError: Error, Equatable, Sendable, CustomStringConvertible {
  case unreadable(String, reason: String)
  case notMIDI(String)
  case damaged(String, atByte: Int, problem: String)
  /// Format 2 is a bag of patterns with no order.
  case unsupportedFormat(String, Int)
  case unwritable(String, problem: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path) can't be read: \(reason); check the path and its permissions"
    case .notMIDI(let path):
      "\(path) is no MIDI file: it does not begin with 'MThd'; export it as a Standard MIDI File"
    case .damaged(let path, let byte, let problem):
      "\(path) is damaged at byte \(byte): \(problem); copy or export it again"
    case .unsupportedFormat(let path, let format):
      "\(path) is of format \(format); export it as format 0 or 1"
    case .unwritable(let path, let problem): "\(path) can't be written: \(problem)"
    }
  }
}
