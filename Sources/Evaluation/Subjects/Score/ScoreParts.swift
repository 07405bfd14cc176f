import Music

/// A chord that sounds until the next change.
public struct ChordChange: Equatable, Sendable {
  public var atSeconds: Double
  /// The chord; `nil`, written `rest`, is silence.
  public var chord: Chord?

  public init(atSeconds: Double, _ chord: Chord?) {
    (self.atSeconds, self.chord) = (atSeconds, chord)
  }
}

extension ChordChange: Codable {
  private enum CodingKeys: String, CodingKey { case atSeconds, chord }
  private static let rest = "rest"

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    atSeconds = try container.decode(Double.self, forKey: .atSeconds)
    chord =
      try container.decode(String.self, forKey: .chord) == Self.rest
      ? nil : try container.decode(Chord.self, forKey: .chord)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(atSeconds, forKey: .atSeconds)
    try container.encode(chord?.description ?? Self.rest, forKey: .chord)
  }
}

/// A chord progression at a tempo, sung once.
public struct TimedProgression: Equatable, Sendable {
  public var progression: ChordProgression
  public var tempo: TempoMap
  public var timeSignature: TimeSignature

  public init(
    _ progression: ChordProgression, tempo: TempoMap, timeSignature: TimeSignature = .common
  ) {
    (self.progression, self.tempo) = (progression, tempo)
    self.timeSignature = timeSignature
  }

  /// The chords, each until the next, and silence after the last bar.
  public var changes: [ChordChange] {
    progression.timed(in: timeSignature).map {
      ChordChange(atSeconds: tempo.seconds(atBeats: $0.atBeats), $0.chord)
    } + [ChordChange(atSeconds: endSeconds, nil)]
  }

  /// The end of the last bar.
  public var endSeconds: Double {
    tempo.seconds(atBeats: Double(progression.bars.count) * timeSignature.barBeats)
  }
}

/// A press of a chord pad.
public struct PadPress: Codable, Equatable, Sendable {
  public typealias StrumOrder = NoteSequence.Pad.StrumOrder

  public var atSeconds: Double
  public var chord: Chord
  /// Time from the start of the first note to the release of all.
  public var forSeconds: Double
  /// Time from the start of the first note to that of the last, 0 to 60; `nil` is 0.
  public var strumMs: Double?
  /// Order of the notes; `nil` is up, from the lowest.
  public var strum: StrumOrder?
}

/// A span of time in which the sustain pedal is down.
public struct PedalPress: Codable, Equatable, Sendable {
  public var fromSeconds: Double
  public var toSeconds: Double
}

/// A player's actions at one instant, in this order: release keys, press keys, move the pedal.
public struct NoteAction: Codable, Equatable, Sendable {
  public enum Pedal: String, Codable, CaseIterable, Sendable { case down, up }

  public var atSeconds: Double
  public var press: [NoteNumber]?
  public var release: [NoteNumber]?
  public var pedal: Pedal?

  public init(
    atSeconds: Double, press: [NoteNumber]? = nil, release: [NoteNumber]? = nil,
    pedal: Pedal? = nil
  ) {
    self.atSeconds = atSeconds
    (self.press, self.release, self.pedal) = (press, release, pedal)
  }
}
