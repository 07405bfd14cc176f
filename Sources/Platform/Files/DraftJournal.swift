import Foundation

extension Draft {
  /// The moves of a complete draft, in a file of its folder. Once that file exists, the draft counts
  /// as published.
  struct Journal: Codable {
    var moves: [Move]
    /// The inode number of the draft's folder. A folder that was copied or unpacked has another
    /// number, and its journal moves nothing.
    private var folder: UInt64

    init(_ moves: [Move], of folder: URL) {
      self.moves = moves
      self.folder = Self.number(of: folder)
    }

    /// Reads the journal of a folder.
    ///
    /// - Returns: `nil` if there is none, or if it belongs to another folder.
    init?(of folder: URL) {
      guard let data = try? GivenFile.data(at: Self.file(in: folder)),
        let read = try? JSONDecoder().decode(Self.self, from: data),
        read.folder == Self.number(of: folder), read.moves.allSatisfy(\.staysInside)
      else { return nil }
      self = read
    }

    func write(to folder: URL) throws {
      try WholeFile.write(JSONEncoder().encode(self), to: Self.file(in: folder).path)
    }

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("journal.json") }

    private static func number(of folder: URL) -> UInt64 { FileStatus(folder.path)?.inode ?? 0 }
  }
}

extension Draft.Move {
  /// True if neither path is absolute or leads upwards.
  fileprivate var staysInside: Bool {
    [from, to].allSatisfy { path in
      !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
    }
  }
}
