import Music

/// A chord that sounds from a time on, until the next.
public struct ChordChange: Equatable, Sendable {
  public var atSeconds: Double
  /// `nil`, written `rest`, is silence.
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

/// A chord pad held for a while.
public struct PadPress: Codable, Equatable, Sendable {
  public enum StrumOrder: String, Codable, CaseIterable, Sendable { case up, down }

  public var atSeconds: Double
  public var chord: Chord
  /// From the first note's beginning to the release of all.
  public var forSeconds: Double
  /// From the first note's beginning to the last's, 0 to 60; 0 unless given.
  public var strumMs: Double?
  /// Up, from the lowest note, unless given.
  public var strum: StrumOrder?

  public init(
    atSeconds: Double, _ chord: Chord, forSeconds: Double, strumMs: Double? = nil,
    strum: StrumOrder? = nil
  ) {
    (self.atSeconds, self.chord, self.forSeconds) = (atSeconds, chord, forSeconds)
    (self.strumMs, self.strum) = (strumMs, strum)
  }
}

/// A time for which the sustain pedal is down.
public struct PedalPress: Codable, Equatable, Sendable {
  public var fromSeconds: Double
  public var toSeconds: Double

  public init(fromSeconds: Double, toSeconds: Double) {
    (self.fromSeconds, self.toSeconds) = (fromSeconds, toSeconds)
  }
}

/// What a player does at one instant: release keys, press keys, move the pedal; in this order.
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
