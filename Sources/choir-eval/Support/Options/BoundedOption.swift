import ArgumentParser
import Foundation

/// A number of the command line.
protocol BoundedNumber: Comparable, Sendable {
  init?(argument: String)
  /// What a person should type, such as "a whole number".
  static var kind: String { get }
  /// As a person would type it.
  var typed: String { get }
}

extension Int: BoundedNumber {
  static var kind: String { "a whole number" }
  var typed: String { "\(self)" }
}

extension UInt64: BoundedNumber {
  static var kind: String { "a whole number" }
  var typed: String { "\(self)" }
}

extension Double: BoundedNumber {
  static var kind: String { "a number" }
  /// Without ".0" behind whole numbers.
  var typed: String { String(format: "%.15g", self) }
}

/// Options that take a number from a range:
///
///     @Option(help: "Frames in a block.", in: 1...65_536) var block = 128
///
/// The help shows the range. A value beyond it, or none that is a number, ends the command with 64
/// before any work; the message has the flag and the value as typed, and the range. Not a number,
/// and infinity, lie in no range.
extension Option where Value: BoundedNumber {
  init(
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
  /// The same without a default.
  init<Number: BoundedNumber>(
    name: NameSpecification = .long, help: ArgumentHelp, in range: ClosedRange<Number>
  ) where Value == Number? {
    self.init(
      name: name, parsing: .unconditional, help: help.with(range),
      transform: { try bounded($0, range) })
  }

  /// Numbers with commas between, each in the range.
  init(name: NameSpecification = .long, help: ArgumentHelp, eachIn range: ClosedRange<Double>)
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
                ? error : ValidationError("'\(word)' in it: \(error); commas go between")
            }
          })
      })
  }
}

/// Numbers with commas between.
struct NumberList: Sendable {
  var values: [Double]
}

/// The ranges of what several commands take.
enum Bounds {
  /// Far more than any machine's cores; each job holds a thread and sound.
  static let jobs = 1...1024
  /// One for each core.
  static let usualJobs = min(ProcessInfo.processInfo.activeProcessorCount, jobs.upperBound)
  /// Every whole number that JSON holds exactly.
  static let seed: ClosedRange<UInt64> = 0...9_007_199_254_740_991
  static let sampleRateHz = 8_000.0...192_000.0
  /// A year.
  static let seconds = 0.001...31_536_000.0
  static let blockSize = 1...65_536
  static let a4Hz = 220.0...880.0
}

/// - Throws: what to choose instead; the parser puts flag and value before it.
private func bounded<Number: BoundedNumber>(
  _ text: String, _ range: ClosedRange<Number>
) throws -> Number {
  let ends = "\(range.lowerBound.typed) to \(range.upperBound.typed)"
  if let number = Number(argument: text), range.contains(number) { return number }
  // A number that the type can't hold is one all the same.
  let isNumber = Double(text).map { Number.self == Double.self || $0 == $0.rounded() } ?? false
  throw ValidationError(isNumber ? "choose \(ends)" : "write \(Number.kind) from \(ends)")
}

extension ArgumentHelp {
  fileprivate func with<Number: BoundedNumber>(
    _ range: ClosedRange<Number>, default usual: Number? = nil
  ) -> ArgumentHelp {
    var help = self
    let ends = "\(range.lowerBound.typed) to \(range.upperBound.typed)"
    help.abstract += " (\(ends)\(usual.map { "; default: \($0.typed)" } ?? ""))"
    return help
  }
}
