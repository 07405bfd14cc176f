import ArgumentParser
import CommandSupport
import Foundation

/// The manual page, generated from the help of every command; scripts/release installs it.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the manual page: choir-eval manual | man -l -", shouldDisplay: false)

  func run() throws {
    let help = try JSONDecoder().decode(Help.self, from: Data(ChoirEval._dumpHelp().utf8))
    print(Self.page(help.command), terminator: "")
  }

  /// The argument parser's description of a command.
  struct Help: Decodable {
    struct Command: Decodable {
      var commandName: String
      var superCommands: [String]?
      var abstract: String?
      var discussion: String?
      var shouldDisplay: Bool
      var arguments: [Argument]?
      var subcommands: [Command]?
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String

        var typed: String { kind == "long" ? "--\(name)" : "-\(name)" }
      }

      var kind: String
      var names: [Name]?
      var valueName: String?
      var abstract: String?
      var defaultValue: String?
      var allValueStrings: [String]?
      var isRepeating: Bool
      var shouldDisplay: Bool
    }

    var command: Command
  }

  /// - Source: the macros of man(7).
  static func page(_ root: Help.Command) -> String {
    var lines = [
      ".TH CHOIR-EVAL 1 \"\" \"choir-eval \(ChoirEval.configuration.version)\"", ".SH NAME",
      "choir-eval \\- \(escaped(root.abstract ?? ""))", ".SH SYNOPSIS", ".B choir-eval",
      ".I command", "[\\fIoptions\\fR]",
    ]
    lines += [".SH DESCRIPTION"] + paragraphs(root.discussion) + [".SH COMMANDS"]
    func describe(_ command: Help.Command) {
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

  private static func described(_ argument: Help.Argument) -> [String] {
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
