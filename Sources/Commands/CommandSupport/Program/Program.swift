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
    do { command = try Root.parseAsRoot() } catch { return answer(error) }
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

  /// Prints what the parser says about misuse or a request for help; returns the exit code.
  private static func answer(_ error: any Error) -> Int32 {
    let (text, code) = (Root.fullMessage(for: error), Root.exitCode(for: error))
    if code.isSuccess { print(text) } else { Terminal.write(text + "\n") }
    return code.rawValue
  }
}
