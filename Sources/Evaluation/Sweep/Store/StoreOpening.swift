import Foundation
import GRDB
import Platform

extension ResultStore {
  /// Longest wait for another process that writes.
  private static let patienceSeconds = 30.0

  /// Opens a file for writing; creates it and its folder if they are missing.
  ///
  /// Several processes may create one store at once: the one with the lock creates the tables, and
  /// the others find them.
  static func opened(forWriting url: URL) throws -> DatabaseQueue {
    try refuseOtherThanFile(url)
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

  /// Enables the write-ahead log, so that readers do not wait for writers. The change needs
  /// exclusive access for a moment, for which SQLite does not wait by itself.
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

  /// Opens an existing file read-only, without changing anything; its folder need not be writable.
  static func opened(forReading url: URL) throws -> DatabaseQueue {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw StoreError.missing(path: url.relativePath)
    }
    try refuseOtherThanFile(url)
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
      // SQLite wants to create files beside it. Where it can't, no other process can write either.
      let log = try? GivenFile.data(at: URL(fileURLWithPath: url.path + "-wal"))
      guard access(url.path, R_OK) == 0,
        access(url.deletingLastPathComponent().path, W_OK) != 0
      else { throw error }
      guard log?.isEmpty ?? true else {
        throw StoreError.unusable(
          path: url.path,
          problem: "a run into it was interrupted, and its last results are in "
            + "\(url.lastPathComponent)-wal; copy both files to a writable folder")
      }
      let escaped = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      return try checked("file:\(escaped ?? url.path)?immutable=1")
    }
  }

  /// Refuses what SQLite would wait for, such as a pipe without a writer. The file is not opened:
  /// closing it would release the locks that SQLite holds on it in this process.
  private static func refuseOtherThanFile(_ url: URL) throws {
    guard let status = FileStatus(url.path), !status.isFile else { return }
    throw StoreError.unusable(
      path: url.path, problem: "is no file but a folder, a pipe or a device; choose another --store"
    )
  }

  /// Returns true if a store exists that this user can read at most.
  public static func isReadOnly(_ url: URL) -> Bool {
    let (file, folder) = (url.path, url.deletingLastPathComponent().path)
    return access(file, F_OK) == 0 && (access(file, W_OK) != 0 || access(folder, W_OK) != 0)
  }

  // MARK: Errors

  static func named(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as DatabaseError: named(error, path: path)
    case let damage as StoreDamage:
      StoreError.unusable(
        path: path,
        problem: "\(damage); the file was edited or damaged. Restore a copy, "
          + "or run the plan again into another --store")
    case is StoreError, is Refusal, is CancellationError: error
    default: StoreError.failed(path: path, cause: Cause(error))
    }
  }

  private static func named(_ error: DatabaseError, path: String) -> StoreError {
    let words = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull(path: path)
    case .SQLITE_IOERR where hasNoRoom(beside: path): return .diskFull(path: path)
    case .SQLITE_CANTOPEN where isOnReadOnlyDisk(path),
      .SQLITE_READONLY where isOnReadOnlyDisk(path):
      return .unusable(path: path, problem: "is on a read-only disk; choose another --store")
    case .SQLITE_CORRUPT:
      return .unusable(
        path: path,
        problem: "is damaged (\(words)); restore a copy, or delete it and run the plan again")
    case .SQLITE_NOTADB:
      return .unusable(
        path: path, problem: "is no SQLite file and thus no result store; choose another --store")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return .unusable(
        path: path,
        problem: "another process has been writing to it for \(Int(patienceSeconds)) s; try again "
          + "when it has finished")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return .unusable(path: path, problem: "can't be written (\(words)); choose another --store")
    case .SQLITE_CANTOPEN:
      return .unusable(
        path: path,
        problem: "can't be opened (\(words)); check the permissions of the file and its folder")
    default: return .unusable(path: path, problem: "\(words); choose another --store")
    }
  }

  private static func isOnReadOnlyDisk(_ path: String) -> Bool {
    var disk = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return statvfs(folder, &disk) == 0 && disk.f_flag & UInt(ST_RDONLY) != 0
  }

  /// Returns true if the disk has no space for SQLite to begin a transaction.
  private static func hasNoRoom(beside path: String) -> Bool {
    var disk = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return statvfs(folder, &disk) == 0 && disk.f_bavail * UInt(disk.f_frsize) < 65_536
  }
}

extension ResultStore {
  /// Returns the first fault that SQLite finds in the file, `nil` if there is none. It reads the
  /// whole file.
  package func damage() throws -> String? {
    let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    return answer == "ok" ? nil : answer ?? "no answer"
  }

  /// Returns the number of runs and cells in words.
  package func contentsInWords() throws -> String {
    try queue.read { database in
      let runs = try Int.fetchOne(database, sql: "SELECT count(*) FROM run") ?? 0
      let cells = try Int.fetchOne(database, sql: "SELECT count(*) FROM cell") ?? 0
      return "\(counted(runs, "run")), \(counted(cells, "cell"))"
    }
  }
}
