import Foundation

/// A file that the user named, read whole.
package enum GivenFile {
  /// A file that can't be read: its path, the problem and the remedy.
  package struct Unreadable: Error, CustomStringConvertible {
    package let path: String
    /// The problem and the remedy.
    package let problem: String

    package var description: String { "\(path): \(problem)" }
  }

  /// Returns the text of a file in UTF-8, UTF-16 or Latin-1.
  package static func text(at url: URL) throws(Unreadable) -> String {
    decodedText(try data(at: url))
  }

  /// Returns the bytes of a file.
  package static func data(at url: URL) throws(Unreadable) -> Data {
    do { return try Data(contentsOf: url) } catch {
      let isThere = FileManager.default.fileExists(atPath: url.path)
      throw Unreadable(
        path: url.path,
        problem: isThere
          ? "can't be read; check that it is a file and that you may read it"
          : "there is no such file; check the path")
    }
  }
}
