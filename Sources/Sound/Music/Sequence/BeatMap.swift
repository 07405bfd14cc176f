import DSP

/// A value that is valid from a beat on, until the next change.
public protocol BeatChange: Codable, Equatable, Sendable {
  associatedtype Value: Codable
  /// Form in YAML and JSON of a value that never changes.
  associatedtype Text: Codable

  /// Start in quarter notes.
  var atBeats: Double { get }
  var value: Value { get }

  init(atBeats: Double, value: Value)

  /// The key of the list in YAML and JSON, for errors.
  static var listName: String { get }

  func validate(named name: String) throws(SequenceError)
}

/// Values in musical time, each valid until the next: tempi, time signatures.
///
/// YAML and JSON hold a single value as such, and several as a list of changes.
public struct BeatMap<Change: BeatChange>: Equatable, Sendable {
  /// The changes in order of time; the first is at beat 0.
  public let changes: [Change]

  public init(_ changes: [Change]) throws(SequenceError) {
    let name = Change.listName
    guard changes.first?.atBeats == 0 else { throw .firstIsLate(name) }
    for (before, (index, change)) in zip(changes, changes.enumerated().dropFirst()) {
      try allow("\(name)[\(index)].atBeats", change.atBeats, in: NoteSequence.beats)
      guard change.atBeats > before.atBeats else {
        throw .notRising(name, atBeats: change.atBeats, after: before.atBeats)
      }
    }
    for (index, change) in changes.enumerated() { try change.validate(named: "\(name)[\(index)]") }
    self.changes = changes
  }
}

extension BeatMap: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let changes =
      (try? container.decode(Change.Text.self)) == nil
      ? try container.decode([Change].self)
      : [Change(atBeats: 0, value: try container.decode(Change.Value.self))]
    do { try self.init(changes) } catch { throw container.problem(error) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if changes.count == 1 {
      try container.encode(changes[0].value)
    } else {
      try container.encode(changes)
    }
  }
}

/// A time signature, from the beginning of a bar on.
public struct MeterChange: BeatChange {
  public var atBeats: Double
  public var timeSignature: TimeSignature

  public typealias Text = String
  public static var listName: String { "timeSignature" }
  public var value: TimeSignature { timeSignature }

  public init(atBeats: Double, _ timeSignature: TimeSignature) {
    (self.atBeats, self.timeSignature) = (atBeats, timeSignature)
  }

  public init(atBeats: Double, value: TimeSignature) { self.init(atBeats: atBeats, value) }

  public func validate(named name: String) {}
}

/// The time signatures of a sequence.
public typealias MeterMap = BeatMap<MeterChange>

extension MeterMap {
  public init(_ timeSignature: TimeSignature = .common) {
    try! self.init([MeterChange(atBeats: 0, timeSignature)])  // a signature that never changes
  }
}
