/// The time signatures of a sequence, each valid until the next. A change begins a bar.
///
/// YAML and JSON hold a single one as a text, `3/4`, and several as a list of `atBeats` and
/// `timeSignature`.
public struct MeterMap: Equatable, Sendable {
  /// A time signature and its start in quarter notes.
  public struct Change: BeatChange, Codable, Equatable, Sendable {
    public var atBeats: Double
    public var timeSignature: TimeSignature
    static let listName = "timeSignature"

    public init(atBeats: Double, _ timeSignature: TimeSignature) {
      (self.atBeats, self.timeSignature) = (atBeats, timeSignature)
    }
  }

  /// The changes in order of time; the first is at beat 0.
  public let changes: [Change]

  public init(_ timeSignature: TimeSignature = .common) {
    changes = [Change(atBeats: 0, timeSignature)]
  }

  public init(_ changes: [Change]) throws(SequenceError) {
    try Change.check(changes)
    self.changes = changes
  }
}

extension MeterMap: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(String.self)) != nil {
      self.init(try container.decode(TimeSignature.self))
    } else {
      let changes = try container.decode([Change].self)
      do { try self.init(changes) } catch { throw container.problem(error) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if changes.count == 1 {
      try container.encode(changes[0].timeSignature)
    } else {
      try container.encode(changes)
    }
  }
}
