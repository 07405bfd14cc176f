import Foundation

extension Draft {
  /// The moves of a draft that was ready, in a file of its folder. From the moment that it is there the
  /// draft counts as published.
  struct Journal: Codable {
    var moves: [Move]
    /// The number of the draft's folder on its disk. A folder that was copied or unpacked from an
    /// archive has another, and its journal moves nothing.
    private var folder: UInt64

    init(_ moves: [Move], of folder: URL) {
      self.moves = moves
      self.folder = Self.number(of: folder)
    }

    /// - Returns: `nil` where there is none, or none of this folder's own.
    init?(of folder: URL) {
      guard let data = try? Data(contentsOf: Self.file(in: folder)),
        let read = try? JSONDecoder().decode(Self.self, from: data),
        read.folder == Self.number(of: folder), read.moves.allSatisfy(\.staysInside)
      else { return nil }
      self = read
    }

    func write(to folder: URL) throws {
      try JSONEncoder().encode(self).write(to: Self.file(in: folder), options: .atomic)
    }

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("journal.json") }

    private static func number(of folder: URL) -> UInt64 {
      var facts = stat()
      return stat(folder.path, &facts) == 0 ? UInt64(facts.st_ino) : 0
    }
  }
}

extension Draft.Move {
  fileprivate var staysInside: Bool {
    [from, to].allSatisfy { path in
      !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
    }
  }
}
