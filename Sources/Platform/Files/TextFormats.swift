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
