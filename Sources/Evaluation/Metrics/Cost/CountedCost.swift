import Foundation
import Platform

/// The counted cost of a subject: instructions and allocations for a second of sound.
///
/// The command runs itself under valgrind on 0.5 s and on 1.5 s of sound; the difference is one second
/// without the creation of objects. Counts hardly vary between runs or with the load of the machine.
///
/// - Cost: four runs of a few seconds.
/// - Source: valgrind's tools callgrind (instructions) and memcheck (allocations).
public struct CountedCost: Encodable, Sendable {
  public var instructionsPerSecond: Double
  /// Allocations of all threads while sound runs; an audio thread needs 0.
  public var allocationsPerSecond: Double

  public enum Failure: Error, CustomStringConvertible {
    case noValgrind
    case failed(String)
    /// The program, or its folder, of which another error says what is wrong.
    case notRun(Cause)

    public var description: String {
      switch self {
      case .noValgrind:
        "counting needs valgrind and strip, and one of them is missing; install them, on Debian by "
          + "apt-get install valgrind binutils"
      case .failed(let problem): "counting failed: \(problem)"
      case .notRun(let cause): "counting failed: \(cause)"
      }
    }
  }

  /// Counts under valgrind.
  ///
  /// - Parameter arguments: arguments that make this program process sound; the number of seconds is
  ///   appended.
  public init(running arguments: [String]) throws(Failure) {
    instructionsPerSecond = try InstructionCount(running: arguments).perSecond
    let counter = try ValgrindCounter(of: SelfProcess.path)
    func allocations(_ seconds: String) throws(Failure) -> Double {
      try counter.number(
        after: "total heap usage: ", tool: ["--tool=memcheck", "--undef-value-errors=no"],
        arguments + [seconds])
    }
    allocationsPerSecond = try allocations("1.5") - allocations("0.5")
  }
}

/// This program, to be run as its own child: figures of a whole process need one without other work.
public enum SelfProcess {
  /// The path of the executable.
  public static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
  }

  static var folder: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }
}
