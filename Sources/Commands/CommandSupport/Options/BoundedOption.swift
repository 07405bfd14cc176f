import ArgumentParser
import Foundation
import Platform

/// A number on the command line.
package protocol BoundedNumber: Comparable, Sendable {
  init?(argument: String)
  /// Kind of number to type, such as "a whole number".
  static var kind: String { get }
  /// The number as a user would type it.
  var typed: String { get }
}

extension Int: BoundedNumber {
  package static var kind: String { "a whole number" }
  package var typed: String { "\(self)" }
}

extension UInt64: BoundedNumber {
  package static var kind: String { "a whole number" }
  package var typed: String { "\(self)" }
}

extension Double: BoundedNumber {
  package static var kind: String { "a number" }
}

/// An option that takes a number from a range:
///
///     @Option(help: "Frames in a block.", in: 1...65_536) var block = 128
///
/// The help shows the range. A value outside it, or one that is no number, ends the command with 64
/// before any work; the message names the flag, the value as typed, and the range. NaN and infinity
/// lie in no range.
extension Option where Value: BoundedNumber {
  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp,
    in range: ClosedRange<Value>
  ) {
    precondition(range.contains(wrappedValue), "the default \(wrappedValue) is not in \(range)")
    self.init(
      wrappedValue: wrappedValue, name: name, parsing: .unconditional,
      help: help.with(range, default: wrappedValue), transform: { try bounded($0, range) })
  }
}

extension Option {
  /// Creates the same option without a default.
  package init<Number: BoundedNumber>(
    name: NameSpecification = .long, help: ArgumentHelp, in range: ClosedRange<Number>
  ) where Value == Number? {
    self.init(
      name: name, parsing: .unconditional, help: help.with(range),
      transform: { try bounded($0, range) })
  }

  /// Creates an option that takes comma-separated numbers, each in the range.
  package init(
    name: NameSpecification = .long, help: ArgumentHelp, eachIn range: ClosedRange<Double>
  )
  where Value == NumberList? {
    self.init(
      name: name, parsing: .unconditional, help: help.with(range),
      transform: { text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        return NumberList(
          values: try words.map { word in
            let word = word.trimmingCharacters(in: .whitespaces)
            do { return try bounded(word, range) } catch {
              throw words.count == 1
                ? error : ValidationError("'\(word)' in it: \(error); separate numbers by commas")
            }
          })
      })
  }
}

/// Comma-separated numbers.
package struct NumberList: Sendable {
  package var values: [Double]
}

/// Ranges of options that several commands share.
package enum Bounds {
  /// Numbers of parallel jobs; far more than any machine has cores, and each job holds a thread and
  /// its audio.
  package static let jobs = 1...1024
  /// Default number of jobs: one for each core.
  package static let defaultJobs = min(
    ProcessInfo.processInfo.activeProcessorCount, jobs.upperBound)
  /// Seeds: the whole numbers that JSON holds exactly.
  package static let seed: ClosedRange<UInt64> = 0...9_007_199_254_740_991
  package static let sampleRateHz = 8_000.0...192_000.0
  /// Durations up to a year.
  package static let seconds = 0.001...31_536_000.0
  package static let blockSize = 1...65_536
  package static let a4Hz = 220.0...880.0
}

/// Reads a number from the range.
///
/// - Throws: the values to choose from; the parser puts flag and value before it.
private func bounded<Number: BoundedNumber>(
  _ text: String, _ range: ClosedRange<Number>
) throws -> Number {
  let ends = "\(range.lowerBound.typed) to \(range.upperBound.typed)"
  if let number = Number(argument: text), range.contains(number) { return number }
  // A number that the type can't hold is out of range rather than no number.
  let isNumber = Double(text).map { Number.self == Double.self || $0 == $0.rounded() } ?? false
  throw ValidationError(isNumber ? "choose \(ends)" : "write \(Number.kind) from \(ends)")
}

extension ArgumentHelp {
  fileprivate func with<Number: BoundedNumber>(
    _ range: ClosedRange<Number>, default value: Number? = nil
  ) -> ArgumentHelp {
    var help = self
    let ends = "\(range.lowerBound.typed) to \(range.upperBound.typed)"
    help.abstract += " (\(ends)\(value.map { "; default: \($0.typed)" } ?? ""))"
    return help
  }
}
