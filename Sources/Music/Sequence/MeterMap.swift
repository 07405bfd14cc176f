/// How bars are counted: time signatures, each until the next, where a bar begins.
///
/// In YAML and JSON one is a text, `3/4`, and more are a list of `atBeats` and `timeSignature`.
public struct MeterMap: Equatable, Sendable {
  /// A time signature and when it begins, in quarter notes.
  public struct Change: Codable, Equatable, Sendable {
    public var atBeats: Double
    public var timeSignature: TimeSignature

    public init(atBeats: Double, _ timeSignature: TimeSignature) {
      (self.atBeats, self.timeSignature) = (atBeats, timeSignature)
    }
  }

  /// Rising; the first at 0.
  public let changes: [Change]

  public init(_ timeSignature: TimeSignature = .common) {
    changes = [Change(atBeats: 0, timeSignature)]
  }

  public init(_ changes: [Change]) throws(SequenceError) {
    guard changes.first?.atBeats == 0 else { throw .firstIsLate("timeSignature") }
    for (before, change) in zip(changes, changes.dropFirst()) {
      try allow("timeSignature.atBeats", change.atBeats, in: NoteSequence.beats)
      guard change.atBeats > before.atBeats else {
        throw .notRising("timeSignature", atBeats: change.atBeats, after: before.atBeats)
      }
    }
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
