import Files
import Foundation
import Synchronization

/// Prints text on standard output without its control characters, because names and messages of
/// subjects, files and stores may be part of it.
///
/// Replaces Swift's own `print`, which ignores a full disk. Lost output is reported when the command
/// ends.
package func print(_ item: some CustomStringConvertible, terminator: String = "\n") {
  let text = item.description.printable + terminator
  if StandardOutput.isFile.load(ordering: .relaxed) {
    Terminal.write(text)
  } else {
    try? StandardOutput.write(text)
  }
}

/// Prints text with its colours; the caller has made all foreign text printable.
package func printPainted(_ text: String) { try? StandardOutput.write(text + "\n") }

/// The JSON that every `--json` prints: indented, with sorted keys.
package enum JSON {
  package static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// A command line that can be pasted into a shell.
package enum ShellWords {
  /// Joins words with spaces and quotes those that a shell would split or expand.
  package static func line(_ words: [String]) -> String {
    words.map(\.forShell).joined(separator: " ")
  }
}
