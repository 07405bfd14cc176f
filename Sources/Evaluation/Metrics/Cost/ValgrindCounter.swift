import Foundation
import Platform

/// Runs a program under valgrind: a copy without debug information, because older valgrinds can't read
/// Swift's, and with deterministic hashing.
final class ValgrindCounter {
  private let scratch: ScratchFolder
  private var program: String { scratch.file("program").path }

  init(of original: String) throws(CountedCost.Failure) {
    do { scratch = try ScratchFolder() } catch { throw .notRun(Cause(error)) }
    try Self.run(["strip", "--strip-debug", "-o", program, original])
  }

  /// Runs a valgrind tool; returns the first number after some words of its log.
  func number(
    after words: String, tool: [String], _ arguments: [String]
  ) throws(CountedCost.Failure) -> Double {
    let log = scratch.file("log")
    defer { try? FileManager.default.removeItem(at: log) }
    try Self.run(
      ["env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind"] + tool + ["--log-file=\(log.path)"]
        + [program] + arguments)
    guard let text = try? GivenFile.text(at: log),
      let value = Self.parsed(text, after: words)
    else { throw .failed("valgrind's log has no '\(words)'; check that valgrind runs by itself") }
    return value
  }

  private static func run(_ command: [String]) throws(CountedCost.Failure) {
    do {
      _ = try ChildProcess(
        arguments: command, timeoutSeconds: 300, memoryMB: 0, fileMB: 0,
        folder: SelfProcess.folder,
        environment: ChildEnvironment.ofThisProcess
      ).run()
    } catch ChildProcess.Failure.notFound { throw .noValgrind } catch {
      throw .notRun(Cause(error))
    }
  }

  static func parsed(_ text: String, after words: String) -> Double? {
    guard let place = text.range(of: words) else { return nil }
    let digits = text[place.upperBound...].prefix { $0.isNumber || $0 == "," }
    return Double(digits.filter { $0 != "," })
  }
}
