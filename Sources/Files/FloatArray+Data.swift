import Foundation

extension [Float] {
  /// The samples as 32-bit floats in this machine's byte order.
  package var data: Data { withUnsafeBytes { Data($0) } }

  /// Reads 32-bit floats in this machine's byte order; bytes left over at the end are ignored.
  package init(data: Data) {
    self = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
