import ArgumentParser
import CommandSupport
import Foundation
import Platform
import Probes

/// Reads a recording of a test tape and checks the system.
struct TapeCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read a recording of a test tape, and check the system behind it.",
    discussion: """
      Prints the table of 'check' and writes its page.

        choir-eval tape check recorded.wav --intervals 4
        choir-eval tape check tape.yaml recorded.wav --key "C major" --budget pitchP95=25

      Exit codes: those of 'check'; also 2 if the recording can't be used.
      """)

  @OptionGroup var tape: TapeOptions
  @Option(help: "Limit of a figure, NAME=LIMIT; repeatable, or several with commas.")
  var budget: [String] = []
  @Option(
    name: .shortAndLong,
    help:
      "Folder for the subject and its page. Default: Reports/tape-NAME, NAME being that of the file.",
    completion: .directory)
  var output: String?
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    // Here, and not when the flags are checked: the value of an unknown flag counts as a recording until then.
    guard tape.recordings.count == 1 else {
      throw ValidationError("tape check takes one recording; read several with tape read.")
    }
    let name = URL(fileURLWithPath: tape.recordings[0]).deletingPathExtension().lastPathComponent
    let output = output ?? "Reports/tape-\(name)"
    var options = tape
    // The folder is this command's own: the last recording of the name counts.
    if self.output == nil { options.overwriting.force = true }
    let (folder, readings) = try options.read(into: URL(fileURLWithPath: output, isDirectory: true))
    for reading in readings {
      // The JSON is that of the check.
      if json {
        Terminal.warn(reading.remarks, about: reading.file)
      } else {
        print(TapeText.answer(reading) + "\n")
      }
    }
    let words =
      [folder.subject.path, "--plan", folder.plan.path, "--store", "\(output)/check.sqlite"]
      + ["--output", "\(output)/page"] + budget.flatMap { ["--budget", $0] } + tape.place.words
      + (json ? ["--json"] : [])
    let check = try Check.parse(words)
    try await check.run()
  }
}
