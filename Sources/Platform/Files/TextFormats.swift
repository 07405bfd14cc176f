import Foundation

/// Returns a number with a fixed count of decimals; one that rounds to 0 has no sign.
package func fixed(_ value: Double, _ decimals: Int = 1) -> String {
  let text = String(format: "%.\(decimals)f", value)
  return text.hasPrefix("-") && Double(text) == 0 ? String(text.dropFirst()) : text
}

extension Double {
  /// The number with four significant digits.
  package var short: String { String(format: "%.4g", self) }

  /// The number as a person writes it: the shortest decimal that reads back as the same number.
  package var typed: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension URL {
  /// The path relative to the working directory if it lies inside, else the whole path.
  package var relativeToHere: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    let path = standardizedFileURL.path
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The file of a path that starts from this folder, or of a whole path.
  ///
  /// Foundation resolves names beside a folder whose URL does not end with a slash.
  package func resolving(_ path: String) -> URL {
    let folder = hasDirectoryPath ? self : URL(fileURLWithPath: self.path, isDirectory: true)
    return URL(fileURLWithPath: path, relativeTo: folder)
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

  /// Returns the value as a text.
  package func text(_ value: some Encodable) throws -> String {
    String(decoding: try encode(value), as: UTF8.self)
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

extension NullIfMissing: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value?.self)
  }
}

/// Returns a number with its noun, such as "1 cell" and "2 cells".
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Returns names as a list in a sentence, such as "pitch, tilt and clicks".
package func listed(_ names: [String]) -> String {
  names.count < 2
    ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names.last!)"
}

extension StringProtocol {
  /// The text with a capital at its beginning.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
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

/// Decodes UTF-8, UTF-16 with or without a byte order mark, and otherwise Latin-1: the encodings of
/// published annotations.
package func decodedText(_ data: Data) -> String {
  func utf16(_ data: Data, _ encoding: String.Encoding) -> String {
    String(data: data.dropLast(data.count % 2), encoding: encoding) ?? ""
  }
  if data.starts(with: [0xFF, 0xFE]) { return utf16(data.dropFirst(2), .utf16LittleEndian) }
  if data.starts(with: [0xFE, 0xFF]) { return utf16(data.dropFirst(2), .utf16BigEndian) }
  // Praat's keywords are Latin letters: without a mark, the zeros show the byte order.
  if data.count >= 4, data.count.isMultiple(of: 2) {
    let start = [UInt8](data.prefix(4))
    if start[1] == 0 && start[3] == 0 { return utf16(data, .utf16LittleEndian) }
    if start[0] == 0 && start[2] == 0 { return utf16(data, .utf16BigEndian) }
  }
  let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
  return String(data: body, encoding: .utf8) ?? String(data: body, encoding: .isoLatin1) ?? ""
}

extension String {
  /// The text with visible escapes, such as `\u001B`, for characters that control a terminal or hide
  /// text on it. Line ends and tabs stay. The escapes are those of JSON.
  ///
  /// Names and messages of programs under test, files and stores reach a terminal only in this form.
  public var printable: String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.steersTerminals {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// True for control characters (C0 but tab and line end, DEL, C1) and for those that change the
  /// direction of text.
  fileprivate var steersTerminals: Bool {
    switch value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
