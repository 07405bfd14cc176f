import ArgumentParser
import Foundation

/// The manual page, generated from the help of every command of a program; scripts/release installs it.
package struct Manual<Root: ParsableCommand>: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "manual",
      abstract: "Print the manual page: \(Root._commandName) manual | man -l -",
      shouldDisplay: false)
  }

  package init() {}

  package func run() throws {
    let help = try JSONDecoder().decode(CommandHelp.self, from: Data(Root._dumpHelp().utf8))
    print(Self.page(help.command), terminator: "")
  }

  /// - Source: the macros of man(7).
  static func page(_ root: CommandHelp.Command) -> String {
    let name = root.commandName
    var lines = [
      ".TH \(name.uppercased()) 1 \"\" \"\(name) \(Root.configuration.version)\"", ".SH NAME",
      "\(escaped(name)) \\- \(escaped(root.abstract ?? ""))", ".SH SYNOPSIS",
      ".B \(escaped(name))",
      ".I command", "[\\fIoptions\\fR]",
    ]
    lines += [".SH DESCRIPTION"] + paragraphs(root.discussion) + [".SH COMMANDS"]
    func describe(_ command: CommandHelp.Command) {
      guard command.shouldDisplay, command.commandName != "help" else { return }
      let words = (command.superCommands ?? []) + [command.commandName]
      lines += [".SS \(escaped(words.joined(separator: " ")))", escaped(command.abstract ?? "")]
      lines += paragraphs(command.discussion)
      // Every command has these two options.
      let arguments = (command.arguments ?? []).filter {
        $0.shouldDisplay && !["help", "version"].contains($0.names?.last?.name)
      }
      for argument in arguments { lines += described(argument) }
      command.subcommands?.forEach(describe)
    }
    root.subcommands?.forEach(describe)
    lines += [
      ".SH SEE ALSO", "The guides in the folder docs, which is installed with the program.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func described(_ argument: CommandHelp.Argument) -> [String] {
    let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
    let names = (argument.names ?? []).map { "\\fB\(escaped($0.typed))\\fR" }
    let head: String =
      switch argument.kind {
      case "positional": value
      case "flag": names.joined(separator: ", ")
      default: "\(names.joined(separator: ", ")) \(value)"
      }
    var words = argument.abstract ?? ""
    if let choices = argument.allValueStrings, !choices.isEmpty, argument.kind != "flag" {
      words += " (\(choices.joined(separator: ", ")))"
    }
    if let initial = argument.defaultValue { words += " (default: \(initial))" }
    return [".TP", head + (argument.isRepeating ? " ..." : ""), escaped(words)]
  }

  /// Prose, which roff wraps, and indented lines, which are examples and keep their breaks.
  private static func paragraphs(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    var (lines, isExample) = ([".PP"], false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        lines += isExample ? [".fi", ".PP"] : [".PP"]
        isExample = false
        continue
      }
      if line.hasPrefix(" ") != isExample {
        isExample.toggle()
        lines.append(isExample ? ".nf" : ".fi")
      }
      lines.append(escaped(String(line)))
    }
    return lines + (isExample ? [".fi"] : [])
  }

  /// Escapes backslashes and hyphens, and dots and quotes that begin a line: roff gives them a
  /// meaning.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("\n", with: " ")
    return [".", "'"].contains(plain.first) ? "\\&" + plain : plain
  }
}
