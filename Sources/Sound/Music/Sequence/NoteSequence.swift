/// Notes and chords in musical time, with a tempo, a time signature and swing.
///
/// The words are those of scores, with times in beats instead of seconds: keys to `press`, `pads` of
/// chords by name, a `pedal`. A beat is a quarter note.
public struct NoteSequence: Equatable, Sendable {
  /// Keys that are pressed together and released together.
  public struct Note: Codable, Equatable, Sendable {
    public var atBeats: Double
    /// Whole keys.
    public var press: [NoteNumber]
    public var forBeats: Double
    /// 1 to 127; 127 by default.
    public var velocity: Int?
    /// The bends of all its keys in order of time; none by default.
    public var bends: [Bend]?

    public init(
      atBeats: Double, press: [NoteNumber], forBeats: Double, velocity: Int? = nil,
      bends: [Bend]? = nil
    ) {
      (self.atBeats, self.press) = (atBeats, press)
      (self.forBeats, self.velocity, self.bends) = (forBeats, velocity, bends)
    }
  }

  /// A position of the pitch wheel, held until the next.
  public struct Bend: Codable, Equatable, Sendable {
    public var atBeats: Double
    public var semitones: Double

    public init(atBeats: Double, semitones: Double) {
      (self.atBeats, self.semitones) = (atBeats, semitones)
    }
  }

  /// A held chord, optionally strummed.
  public struct Pad: Codable, Equatable, Sendable {
    public enum StrumOrder: String, Codable, CaseIterable, Sendable { case up, down }

    public var atBeats: Double
    public var chord: Chord
    /// Time from the first note's start to the release of all notes.
    public var forBeats: Double
    /// 1 to 127; 127 by default.
    public var velocity: Int?
    /// Time from the first note's start to the last's, 0 to 60; 0 by default.
    public var strumMs: Double?
    /// Order of the notes; up, from the lowest note, by default.
    public var strum: StrumOrder?

    public init(
      atBeats: Double, _ chord: Chord, forBeats: Double, velocity: Int? = nil,
      strumMs: Double? = nil, strum: StrumOrder? = nil
    ) {
      (self.atBeats, self.chord, self.forBeats) = (atBeats, chord, forBeats)
      (self.velocity, self.strumMs, self.strum) = (velocity, strumMs, strum)
    }
  }

  /// A press of the sustain pedal.
  public struct Pedal: Codable, Equatable, Sendable {
    public var fromBeats: Double
    public var toBeats: Double

    public init(fromBeats: Double, toBeats: Double) {
      (self.fromBeats, self.toBeats) = (fromBeats, toBeats)
    }
  }

  /// Beats that are played several times. What follows them comes later; tempo, time signature and
  /// swing go on as written.
  public struct Loop: Codable, Equatable, Sendable {
    public var fromBeats: Double
    public var toBeats: Double
    /// Number of times that they are played, 1 to 1000.
    public var times: Int

    public init(fromBeats: Double, toBeats: Double, times: Int) {
      (self.fromBeats, self.toBeats, self.times) = (fromBeats, toBeats, times)
    }
  }

  public var tempo: TempoMap
  public var timeSignature = MeterMap()
  public var swing: Swing?
  public var loop: Loop?
  public var notes: [Note] = []
  public var pads: [Pad] = []
  public var pedal: [Pedal] = []
  /// The bass of a pad's chord is the first of its name at or above this note.
  public var lowestNote = NoteNumber(48)

  public init(tempo: TempoMap) { self.tempo = tempo }

  /// The range of times.
  public static let beats = 0.0...1e6

  public func validate() throws(SequenceError) {
    try swing?.validate()
    if let loop {
      try allow("loop.fromBeats", loop.fromBeats, in: Self.beats)
      try allow("loop.toBeats", loop.toBeats, in: loop.fromBeats + 1.0 / 16...2e6)
      try allow("loop.times", Double(loop.times), in: 1...1000)
    }
    try Self.check("lowestNote", lowestNote)
    for (index, note) in notes.enumerated() {
      let place = "notes[\(index)]"
      try Self.check(place, note.atBeats, note.forBeats, note.velocity)
      for key in note.press { try Self.check("\(place).press", key) }
      try Self.check(place, note.bends ?? [])
    }
    for (index, pad) in pads.enumerated() {
      let place = "pads[\(index)]"
      try Self.check(place, pad.atBeats, pad.forBeats, pad.velocity)
      try allow("\(place).strumMs", pad.strumMs ?? 0, in: 0...60)
      let keys = pad.chord.notes(from: Int(lowestNote.semitones))
      if let low = keys.min(), let high = keys.max(), high > 127 {
        // The bass lies up to 11 keys above the lowest note.
        try allow("lowestNote", lowestNote.semitones, in: 0...Double(116 - (high - low)))
      }
    }
    for (index, press) in pedal.enumerated() {
      try allow("pedal[\(index)].fromBeats", press.fromBeats, in: Self.beats)
      try allow("pedal[\(index)].toBeats", press.toBeats, in: press.fromBeats...2e6)
    }
  }

  private static func check(
    _ place: String, _ at: Double, _ length: Double, _ velocity: Int?
  ) throws(SequenceError) {
    try allow("\(place).atBeats", at, in: beats)
    try allow("\(place).forBeats", length, in: 0...1e6)
    try allow("\(place).velocity", Double(velocity ?? 127), in: 1...127)
  }

  private static func check(_ place: String, _ bends: [Bend]) throws(SequenceError) {
    for (index, bend) in bends.enumerated() {
      let place = "\(place).bends[\(index)]"
      try allow("\(place).atBeats", bend.atBeats, in: beats)
      try allow("\(place).semitones", bend.semitones, in: -127...127)
      if index > 0, bend.atBeats <= bends[index - 1].atBeats {
        throw .notRising("bend", atBeats: bend.atBeats, after: bends[index - 1].atBeats)
      }
    }
  }

  private static func check(_ place: String, _ note: NoteNumber) throws(SequenceError) {
    guard NoteNumber.range.contains(note.semitones),
      note.semitones == note.semitones.rounded()
    else { throw .betweenKeys(place, note) }
  }

  /// Returns the time of a beat, with swing and tempo applied.
  public func seconds(atBeats beats: Double) -> Double {
    tempo.seconds(atBeats: swing?.beats(beats) ?? beats)
  }
}

/// Omitted keys keep their defaults.
extension NoteSequence: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case tempo, timeSignature, swing, loop, notes, pads, pedal, lowestNote
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(tempo: try container.decode(TempoMap.self, forKey: .tempo))
    try container.read(&timeSignature, .timeSignature)
    swing = try container.decodeIfPresent(Swing.self, forKey: .swing)
    loop = try container.decodeIfPresent(Loop.self, forKey: .loop)
    try container.read(&notes, .notes)
    try container.read(&pads, .pads)
    try container.read(&pedal, .pedal)
    try container.read(&lowestNote, .lowestNote)
    do { try validate() } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }
}

extension KeyedDecodingContainer {
  /// Replaces `value` if the container has one for the key.
  package func read<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
    if let known = try decodeIfPresent(Value.self, forKey: key) { value = known }
  }
}

/// A delay of every second note: stretches the first half of each pair of notes and compresses the
/// second.
///
/// All times in between move in proportion, ends of notes included, so the order never changes.
public struct Swing: Codable, Equatable, Sendable {
  /// Length of a note of a pair: 0.5 are eighths, 0.25 sixteenths.
  public var unitBeats: Double
  /// Share of a pair that its first note takes: 0.5 is straight, 2/3 triplets.
  public var share: Double

  public init(unitBeats: Double = 0.5, share: Double) {
    (self.unitBeats, self.share) = (unitBeats, share)
  }

  public func validate() throws(SequenceError) {
    try allow("swing.unitBeats", unitBeats, in: 1.0 / 16...4)
    try allow("swing.share", share, in: 0.5...0.9)
  }

  /// Returns the swung time of a straight one.
  public func beats(_ straight: Double) -> Double {
    let pair = (straight / (2 * unitBeats)).rounded(.down) * 2 * unitBeats
    let place = (straight - pair) / unitBeats  // 0 to 2
    let played = place < 1 ? place * share : share + (place - 1) * (1 - share)
    return pair + played * 2 * unitBeats
  }
}
