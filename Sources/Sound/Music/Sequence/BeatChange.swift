/// A value that is valid from a beat on, until the next change.
protocol BeatChange: Codable {
  var atBeats: Double { get }
  /// The key of the list in YAML and JSON, for errors.
  static var listName: String { get }
}

extension BeatChange {
  /// Throws unless the first change is at beat 0 and each later one comes after the one before it.
  static func check(_ changes: [Self]) throws(SequenceError) {
    guard changes.first?.atBeats == 0 else { throw .firstIsLate(listName) }
    for (index, change) in changes.enumerated().dropFirst() {
      try allow("\(listName)[\(index)].atBeats", change.atBeats, in: NoteSequence.beats)
      let before = changes[index - 1].atBeats
      guard change.atBeats > before else {
        throw .notRising(listName, atBeats: change.atBeats, after: before)
      }
    }
  }
}
