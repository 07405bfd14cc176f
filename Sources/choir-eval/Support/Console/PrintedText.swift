import Evaluation

/// Prints text on standard output without its control characters, because names and messages of
/// subjects, files and stores may be part of it.
///
/// Replaces Swift's own `print`, which ignores a full disk. Lost output is reported when the command
/// ends.
func print(_ item: some CustomStringConvertible, terminator: String = "\n") {
  try? StandardOutput.write(item.description.printable + terminator)
}

/// Prints text with its colours; the caller has made all foreign text printable.
func printPainted(_ text: String) { try? StandardOutput.write(text + "\n") }
