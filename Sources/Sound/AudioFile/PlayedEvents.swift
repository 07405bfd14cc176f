extension MIDIFile {
  /// An event that a singer can perform: a key, pedal or bend.
  public enum PlayedEvent: Equatable, Sendable {
    case press(key: Int, velocity: Int)
    case release(key: Int)
    /// The sustain pedal.
    case pedal(isDown: Bool)
    /// A change of the bend of all the channel's notes.
    case bend(semitones: Double)
  }

  /// A played event with its time, its track, and its channel, from 0.
  public struct PlayedMoment: Equatable, Sendable {
    public var tick: Int
    public var atSeconds: Double
    public var track: Int
    public var channel: Int
    public var event: PlayedEvent
  }

  /// An event that a singer can't perform.
  public struct UnsungEvent: Equatable, Sendable {
    /// Common name, such as "channel volume (controller 7)".
    public var name: String
    /// Channel, counted from 1; `nil` for events without a channel.
    public var channel: Int?
    public var atSeconds: Double
    /// Number of events of this name.
    public var count: Int
  }

  /// Returns the events that a singer can perform, in order of time, and those it can't.
  ///
  /// Wheel, pedal and controllers apply to a channel, whatever their track: each makes one moment
  /// for each track with notes on the channel. Releases of keys that are up are omitted, and so are
  /// bends and pedals without effect. All notes off, and all sound off, release all keys that are
  /// down. Notes on channel 10 are percussion instruments in General MIDI, and so not sung.
  public func played() -> (moments: [PlayedMoment], unsung: [UnsungEvent]) {
    var playing = PlayedFile(of: self)
    for event in timeline { playing.process(event) }
    return (playing.moments, playing.unsung)
  }
}

/// The state of a file while its events are processed.
private struct PlayedFile {
  private(set) var moments: [MIDIFile.PlayedMoment] = []
  private(set) var unsung: [MIDIFile.UnsungEvent] = []
  private var channels = [MIDIChannel](repeating: MIDIChannel(), count: 16)
  /// The tracks with notes on each channel.
  private var tracks = [[Int]](repeating: [], count: 16)
  /// Number of presses of each key of a track and channel that is down.
  private var down: [Place: Int] = [:]
  /// - Source: MIDI Manufacturers Association, "General MIDI System Level 1", RP-003.
  private static let percussion = 9

  private struct Place: Hashable, Comparable {
    var track: Int
    var channel: Int
    var key: Int

    static func < (a: Place, b: Place) -> Bool {
      (a.track, a.channel, a.key) < (b.track, b.channel, b.key)
    }
  }

  init(of file: MIDIFile) {
    for (index, track) in file.tracks.enumerated() {
      for event in track.events {
        if case .noteOn(let channel, _, _) = event.event, channel != Self.percussion,
          !tracks[channel].contains(index)
        {
          tracks[channel].append(index)
        }
      }
    }
  }

  mutating func process(_ event: MIDIFile.ClockedEvent) {
    let track = event.track
    switch event.event {
    case .noteOn(channel: Self.percussion, _, let velocity):
      if velocity > 0 { refuse(event) }
    case .noteOff(channel: Self.percussion, _, _): break
    case .noteOn(let channel, let key, let velocity) where velocity > 0:
      down[Place(track: track, channel: channel, key: key), default: 0] += 1
      add(.press(key: key, velocity: velocity), track, channel, event)
    case .noteOn(let channel, let key, _), .noteOff(let channel, let key, _):
      release(Place(track: track, channel: channel, key: key), event)
    case .controller(let channel, let number, _) where number == 120 || number >= 123:
      for place in down.keys.filter({ $0.channel == channel }).sorted() {
        while down[place] != nil { release(place, event) }
      }
      // All sound off ends what the pedal holds, too.
      if number == 120 {
        change(channel, event, by: .controller(channel: channel, number: 64, value: 0))
      }
    case .controller(let channel, _, _), .pitchBend(let channel, _):
      change(channel, event, by: event.event)
    case .channelMessage, .systemExclusive: refuse(event)
    case .tempo, .meta: break
    }
  }

  /// Applies a controller or the wheel to a channel.
  private mutating func change(
    _ channel: Int, _ event: MIDIFile.ClockedEvent, by change: MIDIFile.Event
  ) {
    let before = channels[channel]
    if !channels[channel].process(change) { refuse(event) }
    let now = channels[channel]
    for track in tracks[channel] {
      if now.bendSemitones != before.bendSemitones {
        add(.bend(semitones: now.bendSemitones), track, channel, event)
      }
      if now.pedalIsDown != before.pedalIsDown {
        add(.pedal(isDown: now.pedalIsDown), track, channel, event)
      }
    }
  }

  private mutating func release(_ place: Place, _ event: MIDIFile.ClockedEvent) {
    guard let count = down[place] else { return }
    down[place] = count > 1 ? count - 1 : nil
    add(.release(key: place.key), place.track, place.channel, event)
  }

  private mutating func add(
    _ played: MIDIFile.PlayedEvent, _ track: Int, _ channel: Int, _ event: MIDIFile.ClockedEvent
  ) {
    moments.append(
      .init(
        tick: event.tick, atSeconds: event.seconds, track: track, channel: channel, event: played))
  }

  private mutating func refuse(_ event: MIDIFile.ClockedEvent) {
    let (name, channel) = event.event.name
    if let known = unsung.firstIndex(where: { $0.name == name }) {
      unsung[known].count += 1
    } else {
      unsung.append(
        .init(name: name, channel: channel.map { $0 + 1 }, atSeconds: event.seconds, count: 1))
    }
  }
}

extension MIDIFile.UnsungEvent: CustomStringConvertible {
  public var description: String {
    let place = channel.map { "channel \($0) at " } ?? "at "
    let seconds = (atSeconds * 1000).rounded() / 1000
    return "\(name), \(place)\(seconds) s" + (count > 1 ? " and \(count - 1) more" : "")
  }
}

extension MIDIFile.Event {
  /// Common name of an event that is not sung, and its channel, from 0.
  fileprivate var name: (String, channel: Int?) {
    switch self {
    case .noteOn(let channel, _, _): return ("percussion", channel)
    case .controller(let channel, let number, _):
      let name = Self.controllers[number].map { "\($0) (controller \(number))" }
      return (name ?? "controller \(number)", channel)
    case .channelMessage(let status, _):
      let name =
        switch status & 0xF0 {
        case 0xA0: "key pressure"
        case 0xC0: "program change"
        case 0xD0: "channel pressure"
        default: "message"
        }
      return (name, Int(status & 0x0F))
    case .systemExclusive: return ("system exclusive message", nil)
    default: return ("event", nil)
    }
  }

  private static let controllers = [
    0: "bank select", 1: "modulation", 2: "breath", 4: "foot", 5: "portamento time",
    6: "data entry of a parameter that is not known", 7: "channel volume", 8: "balance", 10: "pan",
    11: "expression", 32: "bank select", 38: "data entry of a parameter that is not known",
    65: "portamento", 66: "sostenuto", 67: "soft pedal", 68: "legato", 69: "hold 2",
    84: "portamento control", 91: "reverb send", 93: "chorus send",
    96: "data increment of a parameter that is not known",
    97: "data decrement of a parameter that is not known", 122: "local control",
  ]
}
