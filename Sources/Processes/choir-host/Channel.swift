import Glibc

/// A file descriptor that is read or written to its end.
struct Channel {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Moves standard output away, so that what plugins print there goes to standard error.
  static func redirectStandardOutput() -> Channel {
    let own = dup(1)
    dup2(2, 1)
    return Channel(own)
  }

  /// Fills a buffer; returns the number of bytes that were left.
  func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < bytes.count {
      let got = Glibc.read(number, bytes.baseAddress! + count, bytes.count - count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      count += got
    }
    return count
  }

  func readAll() -> [UInt8] {
    var (all, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = part.withUnsafeMutableBytes { read(into: $0) }
      all += part[..<count]
      if count < part.count { return all }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw PluginFault(description: "choir-eval has stopped reading; run it again")
      }
      done += count
    }
  }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }
}
