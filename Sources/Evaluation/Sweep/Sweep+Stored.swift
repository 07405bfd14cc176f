import GRDB

extension Sweep {
  /// Returns true if a run would measure nothing: the store has every cell, each timing of a
  /// careful cost, and a run of this name with these cells.
  public func isStored() throws -> Bool {
    guard try pending().isEmpty, try store.hasRun(plan.name, with: cells) else { return false }
    guard plan.cost == .careful else { return true }
    let rounds = try store.costRounds()
    return share.allSatisfy { rounds[$0.key, default: 0] >= Self.costRounds }
  }
}

extension ResultStore {
  /// Returns true if a run has these cells and no others.
  fileprivate func hasRun(_ name: String, with cells: [Cell]) throws -> Bool {
    let keys = try read { database in
      try String.fetchAll(
        database, sql: "SELECT cell FROM runCell WHERE run = ? ORDER BY position",
        arguments: [name])
    }
    return keys.elementsEqual(cells.lazy.map(\.key))
  }
}
