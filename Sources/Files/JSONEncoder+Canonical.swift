import Foundation

extension JSONEncoder {
  /// An encoder that spells equal values alike: sorted keys, no escaped slashes.
  package static var canonical: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
