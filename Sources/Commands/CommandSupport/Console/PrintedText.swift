import Foundation
import Platform
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
    try JSONEncoder.readable.text(value)
  }

  /// Returns an object with the remarks of the same answer as text.
  package static func text(_ value: some Encodable, of answer: AnswerText) throws -> String {
    try text(Remarked(value: value, remarks: answer.remarks))
  }

  private struct Remarked<Value: Encodable>: Encodable {
    var value: Value
    var remarks: [String]

    private enum Key: CodingKey { case remarks }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(remarks, forKey: .remarks)
    }
  }
}

/// An answer as people read it: figures in tables, and remarks, which `--json` has word for word under
/// `remarks`.
package struct AnswerText: CustomStringConvertible {
  private enum Part {
    case remark(String)
    /// Numbers that JSON has by their names.
    case figures(String)
  }

  private var parts: [Part] = []

  package init() {}

  /// Adds lines that say something; an empty one separates paragraphs.
  package mutating func remark(_ lines: String...) { remark(lines) }

  package mutating func remark(_ lines: [String]) { parts += lines.map { .remark($0) } }

  package mutating func figures(_ text: String) { parts.append(.figures(text)) }

  package var remarks: [String] {
    parts.compactMap { part in
      guard case .remark(let line) = part, !line.isEmpty else { return nil }
      return line.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  package var description: String {
    parts.map { part in
      switch part {
      case .remark(let text), .figures(let text): text
      }
    }.joined(separator: "\n")
  }
}

/// A command line that can be pasted into a shell.
package enum ShellWords {
  /// Joins words with spaces and quotes those that a shell would split or expand.
  package static func line(_ words: [String]) -> String {
    words.map(\.forShell).joined(separator: " ")
  }
}
