/// Tells of what a MIDI file asks for that no voice can do.
enum UnsungEvents {
  /// One line, so that a file with many kinds of them stays readable.
  static func warn(of events: [String], in file: String) {
    guard !events.isEmpty else { return }
    Terminal.printError("warning: \(file): not sung: " + events.joined(separator: "; "))
  }
}
