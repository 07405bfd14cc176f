import Foundation

/// Decodes UTF-8, UTF-16 with or without a byte order mark, and otherwise Latin-1: the encodings of
/// published annotations.
package func decodedText(_ data: Data) -> String {
  if data.starts(with: [0xFF, 0xFE]) { return utf16(data.dropFirst(2), isLittleEndian: true) }
  if data.starts(with: [0xFE, 0xFF]) { return utf16(data.dropFirst(2), isLittleEndian: false) }
  // Praat's keywords are Latin letters: without a mark, the zeros show the byte order.
  if data.count >= 4, data.count.isMultiple(of: 2) {
    let start = [UInt8](data.prefix(4))
    if start[1] == 0 && start[3] == 0 { return utf16(data, isLittleEndian: true) }
    if start[0] == 0 && start[2] == 0 { return utf16(data, isLittleEndian: false) }
  }
  let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
  return String(data: body, encoding: .utf8) ?? String(data: body, encoding: .isoLatin1) ?? ""
}

private func utf16(_ data: Data, isLittleEndian: Bool) -> String {
  let bytes = [UInt8](data)
  let units = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
    let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
    return isLittleEndian ? first | second << 8 : first << 8 | second
  }
  return String(decoding: units, as: UTF16.self)
}
