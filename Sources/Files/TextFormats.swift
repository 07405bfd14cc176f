import Foundation

/// Returns a number with a fixed count of decimals.
package func fixed(_ value: Double, _ decimals: Int = 1) -> String {
  String(format: "%.\(decimals)f", value)
}

extension JSONEncoder {
  /// An encoder that spells equal values alike: sorted keys, no escaped slashes.
  package static var canonical: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
