import Evaluation

/// Where in time two sounds differ, for people.
enum InstantTable {
  static func text(_ instants: [SoundPair.Instant], indent: String) -> String {
    instants.map { instant in
      let seconds = format(instant.atSeconds, 2)
      let padding = String(repeating: " ", count: max(0, 7 - seconds.count))
      return "\(indent)\(padding)\(seconds) s  \(instant.words)"
    }.joined(separator: "\n")
  }
}
