import Foundation

/// Files of text written whole or not at all.
enum WholeFile {
  static func write(
    to path: String, _ pieces: (_ take: (String) throws -> Void) throws -> Void
  ) throws {
    let draft = path + ".\(UUID().uuidString).partial"
    guard FileManager.default.createFile(atPath: draft, contents: nil),
      let handle = FileHandle(forWritingAtPath: draft)
    else {
      throw TableError(
        name: path, problem: "cannot be written; is the folder there, and writable?")
    }
    do {
      try pieces { try handle.write(contentsOf: Data($0.utf8)) }
      try handle.close()
      guard rename(draft, path) == 0 else {
        throw TableError(name: path, problem: "cannot be written")
      }
    } catch {
      unlink(draft)
      throw error
    }
  }
}
