/// The tempi of a sequence, each valid until the next; converts beats to seconds and back.
///
/// A beat is a quarter note in any time signature, as in MIDI. Every time is computed from the
/// beginning, so rounding errors do not accumulate. YAML and JSON hold a single tempo as a number,
/// and several as a list of `atBeats` and `beatsPerMinute`.
public struct TempoMap: Equatable, Sendable {
  /// A tempo and its start in quarter notes.
  public struct Change: BeatChange, Codable, Equatable, Sendable {
    public var atBeats: Double
    public var beatsPerMinute: Double
    static let listName = "tempo"

    public init(atBeats: Double, beatsPerMinute: Double) {
      (self.atBeats, self.beatsPerMinute) = (atBeats, beatsPerMinute)
    }
  }

  /// The allowed tempi, in beats per minute.
  public static let tempi = 1.0...1000.0

  /// The changes in order of time; the first is at beat 0.
  public let changes: [Change]
  private let startsSeconds: [Double]

  public init(beatsPerMinute: Double) throws(SequenceError) {
    try self.init([Change(atBeats: 0, beatsPerMinute: beatsPerMinute)])
  }

  public init(_ changes: [Change]) throws(SequenceError) {
    try Change.check(changes)
    for (index, change) in changes.enumerated() {
      try allow("tempo[\(index)].beatsPerMinute", change.beatsPerMinute, in: Self.tempi)
    }
    var starts = [0.0]
    for (before, change) in zip(changes, changes.dropFirst()) {
      let lastsSeconds = (change.atBeats - before.atBeats) * 60 / before.beatsPerMinute
      starts.append(starts[starts.count - 1] + lastsSeconds)
    }
    (self.changes, startsSeconds) = (changes, starts)
  }

  public func seconds(atBeats beats: Double) -> Double {
    let index = changes.lastIndex { $0.atBeats <= beats } ?? 0
    let change = changes[index]
    return startsSeconds[index] + (beats - change.atBeats) * 60 / change.beatsPerMinute
  }

  public func beats(atSeconds seconds: Double) -> Double {
    let index = startsSeconds.lastIndex { $0 <= seconds } ?? 0
    let change = changes[index]
    return change.atBeats + (seconds - startsSeconds[index]) * change.beatsPerMinute / 60
  }
}

extension TempoMap: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let tempo = try? container.decode(Double.self) {
      do { try self.init(beatsPerMinute: tempo) } catch { throw container.problem(error) }
    } else {
      let changes = try container.decode([Change].self)
      do { try self.init(changes) } catch { throw container.problem(error) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if changes.count == 1 {
      try container.encode(changes[0].beatsPerMinute)
    } else {
      try container.encode(changes)
    }
  }
}
