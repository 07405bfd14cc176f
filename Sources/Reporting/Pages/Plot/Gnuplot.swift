import Foundation
import Platform

/// The gnuplot program, run on finished script files.
struct Gnuplot: Sendable {
  /// Path of the program, or a name to look up in `PATH`.
  var program = "gnuplot"

  /// Runs `script`, a file name, inside `folder`, where its relative outputs appear.
  func run(_ script: String, in folder: URL) throws(PlotError) {
    guard let executable = ProgramFile.path(of: program) else { throw .gnuplotMissing(program) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = [script]
    process.currentDirectoryURL = folder
    // Decimal points and messages must not depend on the user's language.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    let messages = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = messages
    do { try process.run() } catch {
      throw .gnuplotNotStarted(script: script, cause: Cause(error))
    }
    let text = messages.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let message = String(decoding: text, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      throw .gnuplotFailed(
        script: script,
        message: message.isEmpty ? "status \(process.terminationStatus), no message" : message)
    }
  }
}

/// A figure that could not be drawn.
package enum PlotError: Error, Equatable, CustomStringConvertible {
  case gnuplotMissing(String)
  case gnuplotFailed(script: String, message: String)
  case gnuplotNotStarted(script: String, cause: Cause)
  case cannotWrite(String)
  case noOutput(String)
  case nothingToDraw(String)

  package var description: String {
    switch self {
    case .gnuplotMissing(let name):
      "\(name), which draws the figures, was not found; install it, on Debian: "
        + "apt-get install gnuplot-nox"
    case .gnuplotNotStarted(let script, let cause):
      "gnuplot could not draw \(script): \(cause)"
    case .gnuplotFailed(let script, let message):
      "gnuplot could not draw \(script): \(message)"
    case .cannotWrite(let path):
      "\(path) could not be written; check the folder, its permissions and the free space"
    case .noOutput(let path):
      "gnuplot wrote no readable \(path); check the free space and gnuplot's version"
    case .nothingToDraw(let id):
      "figure \(id) has no number to draw; leave it out"
    }
  }
}
