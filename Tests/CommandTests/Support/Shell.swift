import AudioFile
import DSP
import Foundation

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

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Signal(Array(HarmonizeTests.buzz.prefix(24_000)), sampleRateHz: 48_000)
      .write(to: path("in.wav"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Every name in the folder, hidden ones too.
  var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

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
