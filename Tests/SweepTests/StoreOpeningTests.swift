import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Platform
@testable import Sweep

/// Opening of stores in all states, by several processes at once.
@Suite struct StoreOpeningTests {
  private let scratch = try! TemporaryFolder()

  private func problem(_ work: () throws -> Void) -> String {
    do { try work() } catch { return "\(error)" }
    return "none"
  }

  @Test func manyProcessesMayCreateOneStore() async throws {
    let url = scratch.file("deep/results.sqlite")
    let stores = try await withThrowingTaskGroup(of: ResultStore.self) { group in
      for _ in 0..<8 { group.addTask { try ResultStore(url) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for store in stores {
      #expect(try store.read { try ResultStore.contents($0) } == .ofThisFormat)
      #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
  }

  @Test func readingChangesNothing() throws {
    let url = scratch.file("results.sqlite")
    do { _ = try ResultStore(url) }
    let before = try Digest.sha256(ofFile: url)
    let store = try ResultStore(reading: url)
    #expect(throws: StoreError.unknownRun(name: nil, known: [])) { try store.run() }
    #expect(problem { try store.write { try $0.execute(sql: "DELETE FROM run") } } != "none")
    #expect(try Digest.sha256(ofFile: url) == before)
  }

  /// A store on a read-only medium is opened as immutable.
  @Test func aReadOnlyStoreIsRead() throws {
    let folder = scratch.file("fixed")
    let url = folder.appendingPathComponent("results with 100%.sqlite")
    do { _ = try ResultStore(url) }
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    #expect(problem { _ = try ResultStore(reading: url) } == "none")
  }

  @Test func otherFilesAreRefused() throws {
    let missing = scratch.file("none.sqlite")
    #expect(problem { _ = try ResultStore(reading: missing) }.contains("there is no store"))
    #expect(!FileManager.default.fileExists(atPath: missing.path))
    let text = try scratch.write(
      String(repeating: "not a database ", count: 100), to: "text.sqlite")
    let foreign = scratch.file("foreign.sqlite")
    try DatabaseQueue(path: foreign.path).write { try $0.execute(sql: "CREATE TABLE other (a)") }
    let old = scratch.file("old.sqlite")
    try ResultStore(old).write { try $0.execute(sql: "PRAGMA user_version = 4") }
    let newer = scratch.file("newer.sqlite")
    try ResultStore(newer).write {
      try $0.execute(sql: "PRAGMA user_version = \(ResultStore.format + 1)")
    }
    let cases = [
      (text, "is no SQLite file"), (foreign, "another program"),
      (old, "earlier choir-eval (format 4"),
      (newer, "later choir-eval (format \(ResultStore.format + 1)"),
    ]
    for (url, words) in cases {
      let before = try Digest.sha256(ofFile: url)
      for found in [
        problem { _ = try ResultStore(reading: url) }, problem { _ = try ResultStore(url) },
      ] {
        #expect(found.contains(words), "\(found)")
        #expect(!found.contains("delete"), "\(found)")
      }
      #expect(try Digest.sha256(ofFile: url) == before)
    }
  }

  /// Only the error of a damaged file suggests to delete it.
  @Test func aDamagedFileIsNamed() throws {
    let error = ResultStore.named(
      DatabaseError(resultCode: .SQLITE_CORRUPT, message: "malformed"), path: "a.sqlite")
    #expect("\(error)".contains("is damaged (malformed); restore a copy, or delete it"))
    let busy = ResultStore.named(DatabaseError(resultCode: .SQLITE_BUSY), path: "a.sqlite")
    #expect("\(busy)".contains("another process") && !"\(busy)".contains("delete"))
  }
}
