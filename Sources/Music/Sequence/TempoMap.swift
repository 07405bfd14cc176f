/// How beats become seconds: tempi, each until the next.
///
/// A beat is a quarter note, whatever the time signature, as in MIDI. Every time is worked out from
/// the beginning, so nothing adds up. In YAML and JSON one tempo is a number, and more are a list of
/// `atBeats` and `beatsPerMinute`.
public struct TempoMap: Equatable, Sendable {
  /// A tempo and when it begins.
  public struct Change: Codable, Equatable, Sendable {
    public var atBeats: Double
    public var beatsPerMinute: Double

    public init(atBeats: Double, beatsPerMinute: Double) {
      (self.atBeats, self.beatsPerMinute) = (atBeats, beatsPerMinute)
    }
  }

  public static let tempi = 1.0...1000.0

  /// Rising; the first at 0.
  public let changes: [Change]
  private let startsSeconds: [Double]

  public init(beatsPerMinute: Double) throws(SequenceError) {
    try self.init([Change(atBeats: 0, beatsPerMinute: beatsPerMinute)])
  }

  public init(_ changes: [Change]) throws(SequenceError) {
    guard changes.first?.atBeats == 0 else { throw .firstIsLate("tempo") }
    var (seconds, starts) = (0.0, [Double]())
    for (index, change) in changes.enumerated() {
      try allow("tempo[\(index)].beatsPerMinute", change.beatsPerMinute, in: Self.tempi)
      if index > 0 {
        let before = changes[index - 1]
        try allow("tempo[\(index)].atBeats", change.atBeats, in: NoteSequence.beats)
        guard change.atBeats > before.atBeats else {
          throw .notRising("tempo", atBeats: change.atBeats, after: before.atBeats)
        }
        seconds += (change.atBeats - before.atBeats) * 60 / before.beatsPerMinute
      }
      starts.append(seconds)
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
