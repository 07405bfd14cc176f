import Foundation

/// The programs of this build, which lie beside the tests.
enum Built {
  static let choir = program("choir")
  static let choirEval = program("choir-eval")

  private static let instrument: Set = [
    "harmonize", "autotune", "effects", "presets", "chords", "synth", "live", "play", "project",
    "timing",
  ]

  /// Returns the program that has a command.
  static func program(of command: String?) -> URL {
    command.map(instrument.contains) == true ? choir : choirEval
  }

  /// Returns a command line with the name of the program that has its command before it.
  static func line(_ command: String) -> String {
    let verb = command.split(separator: " ").first.map(String.init)
    return "\(program(of: verb).lastPathComponent) \(command)"
  }

  /// Returns a command line that runs in any shell: the program by its path, in quotes.
  static func path(_ command: String) -> String {
    let verb = command.split(separator: " ").first.map(String.init)
    return "'\(program(of: verb).path)' \(command)"
  }

  private static func program(_ name: String) -> URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
  }
}
