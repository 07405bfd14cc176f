import Foundation

/// The words of the command line as bytes, which Swift changes where they are not UTF-8.
package enum ArgumentText {
  /// The first argument that is not UTF-8, with escapes such as `\xE9`; `nil` if there is none.
  package static var undecodable: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
      let bytes = unsafe UnsafeBufferPointer(start: word, count: strlen(word)).map {
        UInt8(bitPattern: $0)
      }
      if String(validating: bytes, as: UTF8.self) == nil { return escaped(bytes) }
    }
    return nil
  }

  /// Returns ASCII as it is and all other bytes in hexadecimal.
  static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      0x20...0x7E ~= byte
        ? String(UnicodeScalar(byte))
        : "\\x" + String(byte >> 4, radix: 16, uppercase: true)
          + String(byte & 15, radix: 16, uppercase: true)
    }.joined()
  }
}
