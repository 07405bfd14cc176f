import DSP
import Foundation

/// What a subject costs by count, not by clock: instructions, and allocations, for a second of sound.
///
/// The command runs itself under valgrind twice, on half a second of sound and on one and a half; the
/// difference is one second, without the making of anything. Counts hardly differ from run to run or
/// from one load of the machine to the next. What runs is a copy of the program without debug
/// information, of which older valgrinds can't read Swift's.
///
/// - Cost: four runs of a few seconds.
/// - Source: valgrind's tools callgrind (instructions) and memcheck (allocations).
public struct CountedCost: Encodable, Sendable {
  public var instructionsPerSecond: Double
  /// Of all threads, while sound runs; 0 is what an audio thread wants.
  public var allocationsPerSecond: Double

  public enum Failure: Error, CustomStringConvertible {
    case noValgrind
    case failed(String)

    public var description: String {
      switch self {
      case .noValgrind:
        "counting needs valgrind and strip; one of them is not here; on Debian: "
          + "apt-get install valgrind binutils"
      case .failed(let problem): "counting failed: \(problem)"
      }
    }
  }

  /// - Parameter arguments: of this program, which make it process so many seconds of sound; the
  ///   number of seconds comes last.
  public init(running arguments: [String]) throws(Failure) {
    let program = FileManager.default.temporaryDirectory
      .appendingPathComponent("choir-eval-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: program) }
    try Self.run(["strip", "--strip-debug", "-o", program, SelfProcess.path])
    func counts(_ seconds: String) throws(Failure) -> (instructions: Double, allocations: Double) {
      let words = [program] + arguments + [seconds]
      return (
        try Self.number(
          after: "Collected : ", tool: ["--tool=callgrind", "--callgrind-out-file=/dev/null"], words
        ),
        try Self.number(
          after: "total heap usage: ", tool: ["--tool=memcheck", "--undef-value-errors=no"], words)
      )
    }
    let (short, long) = (try counts("0.5"), try counts("1.5"))
    instructionsPerSecond = long.instructions - short.instructions
    allocationsPerSecond = long.allocations - short.allocations
  }

  /// The first number behind some words in what a tool says.
  private static func number(
    after words: String, tool: [String], _ command: [String]
  ) throws(Failure) -> Double {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("choir-eval-\(UUID().uuidString).valgrind")
    defer { try? FileManager.default.removeItem(at: log) }
    // Dictionaries of the same layout in each run, so that counts can be compared.
    try run(
      ["env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind"] + tool + ["--log-file=\(log.path)"]
        + command)
    guard let text = try? String(contentsOf: log, encoding: .utf8),
      let value = parsed(text, after: words)
    else { throw .failed("valgrind didn't say '\(words)'") }
    return value
  }

  private static func run(_ command: [String]) throws(Failure) {
    do {
      _ = try ChildProcess(
        arguments: command, timeoutSeconds: 300, memoryMB: 65_536, folder: SelfProcess.folder
      ).run()
    } catch ChildProcess.Failure.notFound { throw .noValgrind } catch {
      throw .failed("\(error)")
    }
  }

  static func parsed(_ text: String, after words: String) -> Double? {
    guard let place = text.range(of: words) else { return nil }
    let digits = text[place.upperBound...].prefix { $0.isNumber || $0 == "," }
    return Double(digits.filter { $0 != "," })
  }
}
