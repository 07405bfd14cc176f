import COpenSSL
import Foundation

/// SHA-256 digests, used as content addresses: equal digests mean equal content.
public enum Digest {
  /// The SHA-256 of `data` in lower-case hexadecimal.
  public static func sha256(_ data: Data) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let ok = data.withUnsafeBytes { bytes in
      EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha256(), nil)
    }
    precondition(ok == 1, "SHA-256 is part of every libcrypto")
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The digest of the text's UTF-8.
  public static func sha256(_ text: String) -> String { sha256(Data(text.utf8)) }

  /// The digest of the file's bytes.
  public static func sha256(ofFile url: URL) throws -> String {
    let file = try GivenFile.open(url.path)
    defer { withExtendedLifetime(file) {} }
    return try sha256(Data(contentsOf: url, options: .mappedIfSafe))
  }
}
