import Foundation

/// Writes ZIP files without compression.
///
/// - Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 4.3.
enum StoredZip {
  static func archive(of files: [String: Data]) -> Data {
    var (body, directory) = (Data(), Data())
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let start = UInt32(body.count)
      // Version 2.0, names in UTF-8, stored, no time; checksum, sizes, length of the name.
      var common = little(UInt16(20)) + little(UInt16(0x800))
      common += little(UInt16(0)) + little(UInt32(0x21_0000))
      common += little(checksum(bytes)) + little(UInt32(bytes.count))
      common += little(UInt32(bytes.count)) + little(UInt16(name.utf8.count)) + little(UInt16(0))
      body += little(UInt32(0x0403_4b50)) + common + Data(name.utf8) + bytes
      // Made on Unix; no comment, disk 0, no attributes; the offset of the file.
      directory +=
        little(UInt32(0x0201_4b50)) + little(UInt16(0x031E)) + common + little(UInt16(0))
        + little(UInt16(0)) + little(UInt16(0)) + little(UInt32(0)) + little(start)
        + Data(name.utf8)
    }
    let count = little(UInt16(files.count))
    return body + directory + little(UInt32(0x0605_4b50)) + little(UInt32(0)) + count + count
      + little(UInt32(directory.count)) + little(UInt32(body.count)) + little(UInt16(0))
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  /// Computes the CRC-32, bit by bit.
  private static func checksum(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
