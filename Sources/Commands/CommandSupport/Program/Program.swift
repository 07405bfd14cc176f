import ArgumentParser
import Foundation
import Platform

/// A program of several commands: parses, runs one, prints its error, and chooses the exit code.
package enum Program<Root: AsyncParsableCommand> {
  package static func main() async {
    StandardOutput.secure()
    Foundation.exit(StandardOutput.settled(await status()))
  }

  /// Runs the command line and reports any error; returns the exit code.
  private static func status() async -> Int32 {
    if let word = ArgumentText.undecodable {
      Terminal.printError("\(word): its name is not UTF-8; rename it")
      return ExitCode.validationFailure.rawValue
    }
    let command: any ParsableCommand
    do { command = try Root.parseAsRoot() } catch {
      if let text = unknownCommand(in: CommandLine.arguments.dropFirst()) {
        Terminal.printError(text)
        return ExitCode.validationFailure.rawValue
      }
      return answer(error)
    }
    do {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch let error as ValidationError {
      // Misuse that only the work shows; the usage would not help.
      Terminal.printError(error.message)
      return ExitCode.validationFailure.rawValue
    } catch {
      if Root.exitCode(for: error).isSuccess { return answer(error) }
      // Nothing could be measured.
      Terminal.printError(errorText(error))
      return 2
    }
  }

  /// Says which word names no command, and what the commands are; `nil` if each does.
  private static func unknownCommand(in words: some Sequence<String>) -> String? {
    var (path, group): ([String], any ParsableCommand.Type) = ([], Root.self)
    for word in words where word != "help" {
      let commands = group.configuration.subcommands
      if commands.isEmpty || group.configuration.defaultSubcommand != nil || word.hasPrefix("-") {
        return nil
      }
      guard let command = commands.first(where: { $0._commandName == word }) else {
        let place = path.isEmpty ? "" : "'\(path.joined(separator: " "))' has "
        return place + "no command '\(word)'; choose from "
          + commands.map { $0._commandName }.joined(separator: ", ")
      }
      path.append(word)
      group = command
    }
    return nil
  }

  /// Prints what the parser says about misuse or a request for help; returns the exit code.
  private static func answer(_ error: any Error) -> Int32 {
    let text = Root.fullMessage(for: error)
    // Asking the parser for the exit code makes it write the whole text once more.
    let code = text.hasPrefix(Root._errorPrefix) ? .validationFailure : Root.exitCode(for: error)
    if code.isSuccess { print(text) } else { Terminal.write(text + "\n") }
    return code.rawValue
  }
}

/// The words of the command line as bytes, which Swift changes where they are not UTF-8.
package enum ArgumentText {
  /// The first argument that is not UTF-8, with escapes such as `\xE9`; `nil` if there is none.
  package static var undecodable: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
      let bytes = unsafe UnsafeBufferPointer(start: word, count: strlen(word)).map {
        UInt8(bitPattern: $0)
      }
      if String(validating: bytes, as: UTF8.self) == nil { return escaped(bytes) }
    }
    return nil
  }

  /// Returns ASCII as it is and all other bytes in hexadecimal.
  static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      0x20...0x7E ~= byte
        ? String(UnicodeScalar(byte))
        : "\\x" + String(byte >> 4, radix: 16, uppercase: true)
          + String(byte & 15, radix: 16, uppercase: true)
    }.joined()
  }
}
