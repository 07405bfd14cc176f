import Synchronization

/// Tables that depend on a few numbers, such as a sample rate; each is made once and shared.
///
/// - Memory: at most `limit` tables; all are dropped when one more is needed.
/// - Thread-safe. Locks and allocates, so not for the audio thread.
package final class TableCache<Key: Hashable & Sendable, Table: Sendable>: Sendable {
  private let tables = Mutex<[Key: Table]>([:])
  private let limit: Int

  package init(limit: Int = 8) { self.limit = limit }

  /// Returns the table of `key`; makes it the first time. Two callers at once may both make it.
  package func callAsFunction(_ key: Key, _ make: () -> Table) -> Table {
    if let known = tables.withLock({ $0[key] }) { return known }
    let table = make()
    tables.withLock { tables in
      if tables.count >= limit { tables.removeAll() }
      tables[key] = table
    }
    return table
  }
}
