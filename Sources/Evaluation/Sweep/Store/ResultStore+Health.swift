import GRDB
import Platform

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
