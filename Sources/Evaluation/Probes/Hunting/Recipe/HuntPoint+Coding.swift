import Corpus

/// A point is written as what sets it apart from plain: `{voice: bass, note: 40}`. Its settings
/// stand beside those of the subject, so they are no part of it.
extension HuntPoint: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: ParameterKey.self)
    for key in container.allKeys {
      guard let parameter = HuntParameter(rawValue: key.stringValue) else {
        let names = HuntParameter.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "a sound has no '\(key.stringValue)'; it has \(names)")
      }
      let value = try container.decode(SettingValue.self, forKey: key)
      do throws(HuntParameter.OutOfRange) {
        self[parameter] = try parameter.number(value)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: error.problem)
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ParameterKey.self)
    for parameter in away {
      try container.encode(
        parameter.setting(values[parameter]!), forKey: ParameterKey(parameter.rawValue))
    }
  }

  private struct ParameterKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension HuntParameter {
  struct OutOfRange: Error { let problem: String }

  /// Reads a value as a recipe has it.
  func number(_ value: SettingValue) throws(OutOfRange) -> Double {
    switch domain {
    case .choice(let names):
      guard let index = names.firstIndex(of: "\(value)") else {
        throw OutOfRange(problem: "'\(value)' is unknown; choose \(names.joined(separator: ", "))")
      }
      return Double(index)
    case .number(let range, let step):
      guard let number = value.number, range.contains(number) else {
        throw OutOfRange(
          problem: "'\(value)' is out of range; write a number from "
            + "\(SettingValue.number(range.lowerBound)) to \(SettingValue.number(range.upperBound))"
        )
      }
      guard rounded(number) == number else {
        throw OutOfRange(
          problem: "'\(value)' is not a whole number of steps of \(SettingValue.number(step)); "
            + "write \(SettingValue.number(rounded(number)))")
      }
      return number
    }
  }
}
