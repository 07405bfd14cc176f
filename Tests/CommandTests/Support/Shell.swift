import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

/// A folder to run shell lines in, where `choir` and `choir-eval` are the built programs; it holds in.wav, half a
/// second of a voice-like buzz.
final class Shell {
  struct Answer {
    var status: Int32
    /// The output as it came, which may be no text.
    var bytes: Data
    var output: String
    var errors: String
    /// Errors without line breaks, which the parser adds at the terminal's width.
    var words: String { Self.flat(errors) }
    /// Output and errors without line breaks.
    var said: String { Self.flat(output + " " + errors) }

    private static func flat(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The output as a JSON object.
    func json() throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }
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
    return try Self.run(URL(fileURLWithPath: "/bin/bash"), ["-c", programs + line], in: folder)
  }

  /// Runs a program to its end.
  ///
  /// - Parameter input: bytes for its standard input, through a pipe; `nil` leaves that of the tests.
  static func run(
    _ program: URL, _ arguments: [String], input: Data? = nil, in folder: URL? = nil
  ) throws -> Answer {
    let process = Process()
    let (source, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.executableURL, process.arguments) = (program, arguments)
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, errors)
    if input != nil { process.standardInput = source }
    try process.run()
    if let input {
      // Pieces that are neither whole blocks nor samples, on another thread to avoid a deadlock.
      let writer = Thread {
        for start in stride(from: 0, to: input.count, by: 1_001) {
          let piece = input[start..<min(start + 1_001, input.count)]
          try? source.fileHandleForWriting.write(contentsOf: piece)
        }
        try? source.fileHandleForWriting.close()
      }
      writer.start()
    }
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
      status: process.terminationStatus, bytes: text, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: said, as: UTF8.self))
  }
}
