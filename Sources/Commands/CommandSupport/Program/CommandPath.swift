import ArgumentParser

/// A command of a program and the words that lead to it, such as `choir-eval corpus add`.
struct CommandPath {
  let command: any ParsableCommand.Type
  let words: [String]

  /// The command that the usage line of a message names; the root if there is none.
  init(ofUsageIn message: String, of root: any ParsableCommand.Type) {
    var (command, words) = (root, [root._commandName])
    let usage = message.firstMatch(of: #/Usage: [a-z-]+ ([a-z -]*)/#)
    for word in usage?.1.split(separator: " ") ?? [] {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else { break }
      command = next
      words.append(String(word))
    }
    (self.command, self.words) = (command, words)
  }

  /// The path to a command; `nil` for one that the program doesn't have.
  init?(to wanted: any ParsableCommand.Type, of root: any ParsableCommand.Type) {
    func path(_ here: any ParsableCommand.Type) -> [String]? {
      if here == wanted { return [here._commandName] }
      for next in here.configuration.subcommands {
        if let rest = path(next) { return [here._commandName] + rest }
      }
      return nil
    }
    guard let words = path(root) else { return nil }
    (command, self.words) = (wanted, words)
  }

  /// Returns the parser's message about an error that the command threw while it ran. The parser
  /// alone would show the usage of the whole program.
  func message(for error: any Error) -> String {
    let (name, whole) = (command._commandName, words.joined(separator: " "))
    return command.fullMessage(for: error)
      .replacing("Usage: \(name)", with: "Usage: \(whole)")
      .replacing("See '\(name) ", with: "See '\(whole) ")
  }
}
