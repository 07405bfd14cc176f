import Foundation
import Platform

/// The gnuplot program, run on finished script files.
struct Gnuplot: Sendable {
  /// Path of the program, or a name to look up in `PATH`.
  var program = "gnuplot"

  /// Checks that the program is there.
  func require() throws(Refusal) {
    do {
      _ = try ChildProcess(
        arguments: [program, "--version"], folder: URL(fileURLWithPath: "/"),
        environment: ChildEnvironment.ofThisProcess
      ).run()
    } catch {
      throw Refusal.gnuplotMissing(program)
    }
  }

  /// Runs `script`, a file name, inside `folder`, where its relative outputs appear.
  func run(_ script: String, in folder: URL) throws(Refusal) {
    var process = ChildProcess(
      arguments: [program, script], folder: folder, environment: ChildEnvironment.ofThisProcess)
    // Decimal points and messages must not depend on the user's language.
    process.environment["LC_ALL"] = "C.UTF-8"
    do { _ = try process.run() } catch ChildProcess.Failure.notFound {
      throw Refusal.gnuplotMissing(program)
    } catch {
      throw Refusal("gnuplot could not draw \(script): \(error)")
    }
  }
}

extension Refusal {
  static func gnuplotMissing(_ name: String) -> Refusal {
    Refusal(
      "\(name), which draws the figures, was not found; install it, on Debian: "
        + "apt-get install gnuplot-nox")
  }

  static func cannotWrite(_ path: String) -> Refusal {
    Refusal("\(path) could not be written; check the folder, its permissions and the free space")
  }
}
