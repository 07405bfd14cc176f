import Corpus
import Foundation

/// A constraint on the settings of a plan, such as `crossfadeMs <= windowMs`.
///
/// Each side is a number or the name of a setting. A setting may be divided or multiplied by a number,
/// as in `crossfadeMs <= windowMs / 2`.
public struct Constraint: Equatable, Sendable {
  public let text: String
  private let left: Term
  private let right: Term
  private let comparison: String

  private enum Term: Equatable, Sendable {
    case number(Double)
    case setting(String, times: Double, over: Double)

    init?(_ text: Substring) {
      let words = text.split(separator: " ").map(String.init)
      if words.count == 1, let number = Double(words[0]) {
        self = .number(number)
      } else if words.count == 1, let first = words[0].first, first.isLetter {
        self = .setting(words[0], times: 1, over: 1)
      } else if words.count == 3, let number = Double(words[2]), number != 0 {
        switch words[1] {
        case "*": self = .setting(words[0], times: number, over: 1)
        case "/": self = .setting(words[0], times: 1, over: number)
        default: return nil
        }
      } else {
        return nil
      }
    }

    func value(_ settings: SubjectSettings) -> Double? {
      switch self {
      case .number(let value): value
      case .setting(let name, let times, let over): settings[name]?.number.map { $0 * times / over }
      }
    }

    var setting: String? {
      if case .setting(let name, _, _) = self { name } else { nil }
    }
  }

  /// Parses a constraint; returns `nil` if the text is none.
  public init?(_ text: String) {
    self.text = text
    for comparison in ["<=", ">=", "<", ">"] {
      guard let range = text.range(of: comparison) else { continue }
      guard let left = Term(text[..<range.lowerBound]), let right = Term(text[range.upperBound...])
      else { return nil }
      (self.left, self.right, self.comparison) = (left, right, comparison)
      return
    }
    return nil
  }

  /// The settings in the constraint.
  public var names: [String] { [left.setting, right.setting].compactMap { $0 } }

  /// Returns true if the settings meet the constraint, or lack one of its settings.
  public func holds(for settings: SubjectSettings) -> Bool {
    guard names.allSatisfy({ settings[$0] != nil }) else { return true }
    guard let a = left.value(settings), let b = right.value(settings) else { return false }
    switch comparison {
    case "<=": return a <= b
    case ">=": return a >= b
    case "<": return a < b
    default: return a > b
    }
  }
}
