import Foundation
import GRDB

extension ResultStore {
  /// How long to wait for another process that writes.
  private static let patienceSeconds = 30.0

  /// Opens a file to write into; makes it, with its folder, where there is none.
  ///
  /// Several processes may make one store at once: whoever gets the lock makes the tables, and the
  /// others find them there.
  static func opened(forWriting url: URL) throws -> DatabaseQueue {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.busyMode = .timeout(patienceSeconds)
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      if try contents(database) != .ofThisFormat {
        try database.inTransaction(.immediate) {
          let contents = try contents(database)
          if contents == .empty {
            try createTables(in: database)
          } else {
            try refuse(contents, path: url.path)
          }
          return .commit
        }
      }
      try setWriteAheadLog(database)
    }
    return queue
  }

  /// Readers don't wait for writers then. The change needs the file for itself for a moment, for
  /// which SQLite doesn't wait by itself.
  private static func setWriteAheadLog(_ database: Database) throws {
    let end = Date().addingTimeInterval(patienceSeconds)
    while true {
      do {
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        return
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && Date() < end
      {
        usleep(20_000)
      }
    }
  }

  /// Opens a file that is there, to read only: nothing of it changes, and it may lie where nobody can
  /// write.
  static func opened(forReading url: URL) throws -> DatabaseQueue {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw StoreError.missing(path: url.relativePath)
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patienceSeconds)
    func checked(_ path: String) throws -> DatabaseQueue {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try refuse(queue.read { try contents($0) }, path: url.path)
      return queue
    }
    do {
      return try checked(url.path)
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR].contains(error.resultCode)
    {
      // SQLite wants to make files beside it. Where it can't, nobody else can write either.
      let log = try? Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
      guard access(url.path, R_OK) == 0,
        access(url.deletingLastPathComponent().path, W_OK) != 0
      else { throw error }
      guard log?.isEmpty ?? true else {
        throw StoreError.unusable(
          path: url.path,
          problem: "a run into it was cut off, and its last results are in the file "
            + "\(url.lastPathComponent)-wal; copy both to a folder that can be written")
      }
      let escaped = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      return try checked("file:\(escaped ?? url.path)?immutable=1")
    }
  }

  // MARK: Errors in words

  static func named(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as DatabaseError: named(error, path: path)
    case let damage as StoreDamage:
      StoreError.unusable(
        path: path,
        problem: "\(damage); the file was edited or damaged: restore a copy, "
          + "or run the plan again into another --store")
    case is StoreError, is PlanError, is CancellationError: error
    default: StoreError.unusable(path: path, problem: "\(error)")
    }
  }

  private static func named(_ error: DatabaseError, path: String) -> StoreError {
    let words = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull(path: path)
    case .SQLITE_IOERR where hasNoRoom(beside: path): return .diskFull(path: path)
    case .SQLITE_CORRUPT:
      return .unusable(
        path: path,
        problem: "is damaged (\(words)); restore a copy, or delete it and run the plan again")
    case .SQLITE_NOTADB:
      return .unusable(
        path: path, problem: "is no SQLite file, so no store of results; choose another --store")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return .unusable(
        path: path,
        problem: "another process has been writing to it for \(Int(patienceSeconds)) s; try again "
          + "when that has ended")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return .unusable(
        path: path, problem: "may not be written (\(words)); choose another --store")
    case .SQLITE_CANTOPEN:
      return .unusable(
        path: path,
        problem: "can't be opened (\(words)); may the file and its folder be read and written?")
    default: return .unusable(path: path, problem: "\(words); choose another --store")
    }
  }

  /// Whether the disk lacks the room for SQLite to begin a transaction.
  private static func hasNoRoom(beside path: String) -> Bool {
    var disk = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return statvfs(folder, &disk) == 0 && disk.f_bavail * UInt(disk.f_frsize) < 65_536
  }
}
