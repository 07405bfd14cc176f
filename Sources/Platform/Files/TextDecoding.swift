import Foundation

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
