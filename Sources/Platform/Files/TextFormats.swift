import Foundation

/// Returns a number with a fixed count of decimals.
package func fixed(_ value: Double, _ decimals: Int = 1) -> String {
  String(format: "%.\(decimals)f", value)
}

extension Double {
  /// The number with four significant digits.
  package var short: String { String(format: "%.4g", self) }
}

extension URL {
  /// The path relative to the working directory if it lies inside, else the whole path.
  package var relativeToHere: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    let path = standardizedFileURL.path
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}

extension JSONEncoder {
  /// An encoder that spells equal values alike: sorted keys, no escaped slashes.
  package static var canonical: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The same with line breaks, for people.
  package static var readable: JSONEncoder {
    let encoder = canonical
    encoder.outputFormatting.insert(.prettyPrinted)
    return encoder
  }
}

/// A value that is written as null where it is missing. Synthesized coding would leave out its key.
@propertyWrapper
public struct NullIfMissing<Value: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension NullIfMissing: Equatable where Value: Equatable {}

/// Returns a number with its noun, such as "1 cell" and "2 cells".
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Returns names as a list in a sentence, such as "pitch, tilt and clicks".
package func listed(_ names: [String]) -> String {
  names.count < 2
    ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names.last!)"
}

extension String {
  /// The string as one word of a shell command, in quotes if a shell would split or expand it.
  package var forShell: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || "0123456789-_./=,:+@%".unicodeScalars.contains($0))
    }
    if isPlain, !isEmpty { return self }
    return "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
