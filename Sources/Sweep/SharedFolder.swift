import Files
import Foundation

/// A folder in which processes, on one or several machines, divide the cells of a plan.
///
/// A process claims a block of cells by a lock on the block's file. The lock ends with the process,
/// even with a killed one, and another process takes the block over. When all cells of a block are
/// measured, its file names the store that has them. Every process has a store of its own in the
/// folder; one that begins again takes over the store of one that ended.
///
/// The file system must have locks, as local ones, NFS 4 and most cluster file systems do.
public final class SharedFolder: Sendable {
  public enum Problem: Error, Equatable, CustomStringConvertible {
    case unusable(path: String)
    case noLocks(path: String)
    case careful(plan: String)

    public var description: String {
      switch self {
      case .unusable(let path):
        "\(path): can't be made or written; check the path and that you may write there"
      case .noLocks(let path):
        "\(path): the file system has no locks, so processes can't divide the cells in it; choose "
          + "a folder on another one, or give each process a --shard"
      case .careful(let plan):
        "the plan '\(plan)' has careful costs, which processes beside each other would disturb; "
          + "leave out 'cost: careful', or run it with --shard on machines of their own"
      }
    }
  }

  public let url: URL
  /// The store of this process.
  public let storeFile: URL
  private let storeLock: FileLock

  /// Creates the folder if it is missing, and takes the first store that no process uses.
  public init(_ url: URL) throws(Problem) {
    self.url = url
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .unusable(path: url.path)
    }
    let trial = url.appendingPathComponent("trial-\(UUID())")
    defer { try? FileManager.default.removeItem(at: trial) }
    guard try Self.lock(trial) != nil else { throw .noLocks(path: url.path) }
    var number = 1
    while true {
      let file = url.appendingPathComponent("store-\(number).lock")
      if let lock = try Self.lock(file) {
        storeLock = lock
        storeFile = url.appendingPathComponent("store-\(number).sqlite")
        return
      }
      number += 1
    }
  }

  /// The state of a block.
  enum Claim {
    /// Measured, with the results in a store of this name.
    case done(store: String)
    /// Claimed by another process.
    case taken
    case held(HeldBlock)
  }

  /// Claims a block, unless it is done or another process has claimed it.
  func claim(_ block: CellBlock) throws(Problem) -> Claim {
    let file = url.appendingPathComponent("block-\(block.name)")
    if let store = doneIn(file) { return .done(store: store) }
    guard let lock = try Self.lock(file) else { return .taken }
    // Another process may have finished the block in between.
    if let store = doneIn(file) { return .done(store: store) }
    return .held(HeldBlock(file: file, store: storeFile.lastPathComponent, lock: lock))
  }

  /// The store that a finished block's file names, if it is still there.
  private func doneIn(_ file: URL) -> String? {
    guard let data = try? GivenFile.data(at: file), let text = String(data: data, encoding: .utf8),
      text.hasSuffix("\n")
    else { return nil }
    let name = String(text.dropLast())
    let isThere = FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path)
    return isThere ? name : nil
  }

  /// Locks a file, which is created if it is missing; `nil` if another process has locked it.
  private static func lock(_ file: URL) throws(Problem) -> FileLock? {
    let descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unusable(path: file.path) }
    close(descriptor)
    return FileLock(file)
  }
}

/// A block that this process has claimed; the claim ends with the last reference.
struct HeldBlock {
  fileprivate let file: URL
  fileprivate let store: String
  fileprivate let lock: FileLock

  /// Marks the block as measured.
  func finish() throws {
    // Not atomic: a rename would leave the lock on another file. A torn line does not count.
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data("\(store)\n".utf8))
    try handle.close()
  }
}

/// Cells that one process claims at once.
struct CellBlock {
  /// A digest of its cells.
  let name: String
  let cells: [Cell]

  /// Divides the cells of a plan into blocks, the same in every process.
  ///
  /// A block has one recording under one condition, which a process analyzes once for all its cells.
  /// The blocks become smaller towards the end, so that all processes end at about the same time.
  static func blocks(of cells: [Cell]) -> [CellBlock] {
    var blocks: [CellBlock] = []
    var rest = cells[...]
    while let first = rest.first {
      let count = min(max(rest.count / 16, 2), 64)
      let part = Array(
        rest.prefix(count).prefix {
          $0.recording.id == first.recording.id && $0.condition == first.condition
        })
      blocks.append(
        CellBlock(
          name: String(Digest.sha256(part.map(\.key).joined(separator: "\n")).prefix(24)),
          cells: part))
      rest = rest.dropFirst(part.count)
    }
    return blocks
  }
}
