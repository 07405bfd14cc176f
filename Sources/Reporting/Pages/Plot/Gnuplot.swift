import Foundation
import Platform

/// The gnuplot program, run on finished script files.
struct Gnuplot: Sendable {
  /// Path of the program, or a name to look up in `PATH`.
  var program = "gnuplot"

  /// Runs `script`, a file name, inside `folder`, where its relative outputs appear.
  func run(_ script: String, in folder: URL) throws(PlotError) {
    guard let executable = Executable.locate([program]) else { throw .gnuplotMissing(program) }
    let process = Process()
    process.executableURL = executable
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
