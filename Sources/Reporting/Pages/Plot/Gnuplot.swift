import Foundation
import Platform

/// The gnuplot program, run on finished script files.
struct Gnuplot: Sendable {
  /// Path of the program, or a name to look up in `PATH`.
  var program = "gnuplot"

  /// Checks that the program is there.
  func require() throws(PlotError) {
    do {
      _ = try ChildProcess(
        arguments: [program, "--version"], folder: URL(fileURLWithPath: "/"),
        environment: ChildEnvironment.ofThisProcess
      ).run()
    } catch {
      throw .gnuplotMissing(program)
    }
  }

  /// Runs `script`, a file name, inside `folder`, where its relative outputs appear.
  func run(_ script: String, in folder: URL) throws(PlotError) {
    var process = ChildProcess(
      arguments: [program, script], folder: folder, environment: ChildEnvironment.ofThisProcess)
    // Decimal points and messages must not depend on the user's language.
    process.environment["LC_ALL"] = "C.UTF-8"
    do { _ = try process.run() } catch ChildProcess.Failure.notFound {
      throw .gnuplotMissing(program)
    } catch { throw .gnuplotFailed(script: script, message: "\(error)") }
  }
}

/// A figure that could not be drawn.
package enum PlotError: Error, Equatable, CustomStringConvertible {
  case gnuplotMissing(String)
  case gnuplotFailed(script: String, message: String)
  case cannotWrite(String)
  case noOutput(String)
  case nothingToDraw(String)

  package var description: String {
    switch self {
    case .gnuplotMissing(let name):
      "\(name), which draws the figures, was not found; install it, on Debian: "
        + "apt-get install gnuplot-nox"
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
