/// A warning about events of a score or MIDI file that voices can't sing.
enum UnsungEvents {
  /// Prints one line for all events, so that a file with many kinds of them stays readable.
  static func warn(of events: [String], in file: String) {
    guard !events.isEmpty else { return }
    Terminal.printError("warning: \(file): not sung: " + events.joined(separator: "; "))
  }
}
