import Corpus
import Foundation

/// How alike two values of one setting are.
///
/// Numbers of a setting that is tried at several are alike if they lie near each other, on a
/// logarithmic scale if they span more than a factor of four; texts are alike only if they are
/// equal.
struct ValueKernel: Sendable {
  /// The place of each numeric value, from 0 to 1 on the setting's scale; `nil` if one of the values
  /// is a text or missing.
  private let places: [SettingValue: Double]?
  /// Distance of a number from the mean, in units of the range.
  private let centred: [SettingValue: Double]

  /// Values a third of the range apart are still much alike.
  private static let reach = 0.35

  /// - Parameter values: all values of the plan; `nil` where a combination lacks the setting.
  init(_ values: [SettingValue?]) {
    let numbers = values.compactMap { $0?.number }
    let distinct = Set(numbers).sorted()
    guard numbers.count == values.count, distinct.count > 2 else {
      (places, centred) = (nil, [:])
      return
    }
    let (low, high) = (distinct.first!, distinct.last!)
    let isLogarithmic = low > 0 && high / low > 4
    func scaled(_ number: Double) -> Double {
      isLogarithmic ? log(number / low) / log(high / low) : (number - low) / (high - low)
    }
    places = Dictionary(uniqueKeysWithValues: distinct.map { (.number($0), scaled($0)) })
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    centred = Dictionary(
      uniqueKeysWithValues: distinct.map { (.number($0), ($0 - mean) / (high - low)) })
  }

  /// True if the values are numbers that may be interpolated.
  var isNumeric: Bool { places != nil }

  /// Returns 1 for equal values, less the further they lie apart, and 0 for different texts.
  func likeness(_ one: SettingValue?, _ other: SettingValue?) -> Double {
    if one == other { return 1 }
    guard let places, let one, let other, let a = places[one], let b = places[other] else {
      return 0
    }
    let distance = (a - b) / Self.reach
    return exp(-distance * distance / 2)
  }

  /// Returns the product of both values about their mean: the covariance of a straight line.
  func line(_ one: SettingValue?, _ other: SettingValue?) -> Double {
    guard let one, let other else { return 0 }
    return (centred[one] ?? 0) * (centred[other] ?? 0)
  }
}
