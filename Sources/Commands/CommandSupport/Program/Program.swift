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
    do { command = try Root.parseAsRoot() } catch { return answer(Root.fullMessage(for: error)) }
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
      let path = CommandPath(to: type(of: command), of: Root.self)
      return answer(path?.message(for: error) ?? Root.fullMessage(for: error))
    } catch let error where error is CleanExit || type(of: command)._commandName == "help" {
      return answer(Root.fullMessage(for: error))
    } catch {
      // Nothing could be measured.
      Terminal.printError(errorText(error))
      return error is Refusal ? ExitCode.validationFailure.rawValue : 2
    }
  }

  /// Prints what the parser says about misuse or a request for help; returns the exit code.
  ///
  /// The text tells them apart: `exitCode(for:)` would make it a second time, which takes a quarter
  /// of a second in debug builds.
  private static func answer(_ text: String) -> Int32 {
    guard text.hasPrefix(Root._errorPrefix) else {
      print(text)
      return 0
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    Terminal.write(NearestNames.named(in: text, of: Root.self, arguments: arguments) + "\n")
    return ExitCode.validationFailure.rawValue
  }
}
