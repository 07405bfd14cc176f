import ArgumentParser
import Foundation
import Platform

/// Suggestions for an unknown flag or command: those of the same command that come nearest.
///
/// They replace the parser's own guess, which takes `--map` for `--rate`, and name an unknown flag
/// that the parser passes over when the command lacks something else.
package enum NearestNames {
  /// Names the unknown word of a message of misuse and those nearest to it; returns any other
  /// message unchanged.
  ///
  /// - Parameters:
  ///   - root: the program.
  ///   - arguments: the command line.
  package static func named(
    in message: String, of root: any ParsableCommand.Type, arguments: [String] = []
  ) -> String {
    let command = CommandPath(ofUsageIn: message, of: root).command
    let unknown = #/Unknown option '--([^'=]+)[^']*'(\. Did you mean '[^']*'\?)?/#
    if let found = message.firstMatch(of: unknown) {
      return message.replacing(
        found.0, with: unknownOption(String(found.1), flags(of: command, areShown: true)))
    }
    guard message.hasPrefix(root._errorPrefix), let usage = message.range(of: "Usage: ") else {
      return message
    }
    let rest = message[usage.lowerBound...]
    let names = command.configuration.subcommands.map { $0._commandName }
    if !names.isEmpty,
      let found = message.firstMatch(of: #/[Uu]nexpected arguments?:? '([^']*)'/#)
    {
      let typed = String(found.1)
      let words = suggestion(
        SimilarNames.nearest(to: typed, among: names), none: "choose one of those in the help")
      return root._errorPrefix + "There is no command '\(typed)'\(words)\n" + rest
    }
    if let stranger = stranger(in: arguments, to: command) {
      let words = unknownOption(stranger, flags(of: command, areShown: true))
      return root._errorPrefix + words + "\n" + rest
    }
    return message
  }

  private static func unknownOption(_ typed: String, _ flags: [String]) -> String {
    let near = SimilarNames.nearest(to: typed, among: flags).map { "--\($0)" }
    return "Unknown option '--\(typed)'"
      + suggestion(near, none: "the command has no such flag")
  }

  /// Returns the end of a sentence that offers the nearest names; `none` if there are none.
  private static func suggestion(_ near: [String], none: String) -> String {
    "; \(SimilarNames.inWords(near, none: none))."
  }

  /// Returns the first long flag that a command doesn't have, without its dashes.
  private static func stranger(
    in arguments: [String], to command: any ParsableCommand.Type
  ) -> String? {
    let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .compactMap { $0.dropFirst(2).split(separator: "=").first.map(String.init) }
    guard !typed.isEmpty else { return nil }
    let known = flags(of: command, areShown: false) + ["help", "version"]
    return typed.first { !known.contains($0) }
  }

  /// Returns a command's long flags, without dashes.
  private static func flags(
    of command: any ParsableCommand.Type, areShown: Bool
  ) -> [String] {
    // The help of all commands would take a third of a second in debug builds.
    let data = Data(command._dumpHelp().utf8)
    let help = try? JSONDecoder().decode(CommandHelp.self, from: data)
    let arguments = (help?.command.arguments ?? []).filter { $0.shouldDisplay || !areShown }
    return arguments.flatMap { argument in
      (argument.names ?? []).filter { $0.kind == "long" }.map(\.name)
    }
  }
}
