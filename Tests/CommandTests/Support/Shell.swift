import AudioFile
import DSP
import Foundation
import TestSupport

/// A folder to run shell lines in, where `choir` and `choir-eval` are the built programs; it holds in.wav, half a
/// second of a voice-like buzz.
final class Shell {
  struct Answer {
    var status: Int32
    var output: String
    var errors: String
    /// Errors without line breaks, which the parser adds at the terminal's width.
    var words: String { errors.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  private let scratch: TemporaryFolder
  var folder: URL { scratch.url }

  init() throws {
    scratch = try TemporaryFolder()
    try Signal(Array(HarmonizeTests.buzz.prefix(24_000)), sampleRateHz: 48_000)
      .write(to: path("in.wav"))
  }

  func path(_ name: String) -> String { scratch.path(name) }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: scratch.file(name)) }

  func write(_ text: String, _ name: String) throws { try scratch.write(text, to: name) }

  /// Every name in the folder, hidden ones too.
  var contents: [String] { scratch.contents }

  /// Runs a line in bash.
  ///
  /// - Parameter line: line in which `choir` and `choir-eval` are the built programs.
  func type(_ line: String) throws -> Answer {
    let programs =
      "choir() { '\(Built.choir.path)' \"$@\"; }; choir-eval() { '\(Built.choirEval.path)' \"$@\"; }; "
    return try Self.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", programs + line], in: folder)
  }

  /// Runs a program to its end.
  static func run(_ program: URL, _ arguments: [String], in folder: URL? = nil) throws -> Answer {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    (process.executableURL, process.arguments) = (program, arguments)
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Both at once: a program that fills one pipe waits until it is read.
    let reading = DispatchGroup()
    nonisolated(unsafe) var said = Data()
    DispatchQueue.global().async(group: reading) {
      said = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    reading.wait()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: said, as: UTF8.self))
  }
}
