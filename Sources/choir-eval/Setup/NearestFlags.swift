import ArgumentParser
import Foundation

/// Suggestions for an unknown flag: the flags of the same command that come nearest.
///
/// They replace the parser's own guess, which takes `--map` for `--rate`.
enum NearestFlags {
  /// Names the nearest flags in the parser's message about an unknown one; returns any other message
  /// unchanged.
  static func named(in message: String) -> String {
    let unknown = #/Unknown option '--([^'=]+)[^']*'(\. Did you mean '[^']*'\?)?/#
    guard let found = message.firstMatch(of: unknown) else { return message }
    let near = nearest(to: String(found.1), among: flags(ofUsageIn: message))
    let suggestion =
      switch near.count {
      case 0: "; the command has no such flag."
      case 1: ". The nearest is \(near[0])."
      default: ". The nearest are \(near.joined(separator: ", "))."
      }
    return message.replacing(found.0, with: "Unknown option '--\(found.1)'\(suggestion)")
  }

  /// Returns at most three flags: those with the same beginning or a slip of the fingers, else those
  /// that share a word.
  static func nearest(to typed: String, among names: [String]) -> [String] {
    let ranked = names.map { (name: $0, distance: distance(typed, $0)) }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    func isAlike(_ name: String, _ distance: Int) -> Bool {
      name.hasPrefix(typed) || typed.hasPrefix(name) || distance <= (typed.count < 5 ? 1 : 2)
    }
    let alike = ranked.filter { isAlike($0.name, $0.distance) }
    let related = ranked.filter { !words(of: $0.name).isDisjoint(with: words(of: typed)) }
    return (alike.isEmpty ? related : alike).prefix(3).map { "--\($0.name)" }
  }

  /// Words that carry meaning; units such as `ms` are too short to do so.
  private static func words(of name: String) -> Set<Substring> {
    Set(name.split(separator: "-").filter { $0.count > 2 })
  }

  /// Number of letters to insert, delete or replace.
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let replaced = diagonal + (letter == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }

  /// Long flags of the command that the usage line of a message names.
  private static func flags(ofUsageIn message: String) -> [String] {
    guard let usage = message.firstMatch(of: #/Usage: choir-eval ([a-z -]*)/#) else { return [] }
    var command: any ParsableCommand.Type = ChoirEval.self
    for word in usage.1.split(separator: " ") {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else { break }
      command = next
    }
    // The help of all commands takes a third of a second in debug builds.
    let data = Data(command._dumpHelp().utf8)
    let help = try? JSONDecoder().decode(Manual.Help.self, from: data)
    let shown = (help?.command.arguments ?? []).filter(\.shouldDisplay)
    return shown.flatMap { argument -> [String] in
      (argument.names ?? []).filter { $0.kind == "long" }.map(\.name)
    }
  }
}
