import Sweep

/// The cells of one side of a comparison, with their measurements: of a small run all at hand, of a large
/// one, which has millions, those of a metric when it is asked for.
public struct ComparedRun: Sendable {
  public let cells: [ComparedCell]
  /// That has the digest of the run; `nil` where cells have all their measurements.
  private let store: ResultStore?
  private let name: String

  /// - Parameters:
  ///   - run: as `ResultStore.runToCompare` read it, or some of its cells.
  ///   - store: to read on from; `nil` where cells have all their measurements.
  ///   - ignored: settings, or `subject`, by which cells are not told apart.
  public init(
    _ run: StoredRun, readingFrom store: ResultStore?, ignoring ignored: Set<String> = []
  ) {
    cells = run.comparedCells(ignoring: ignored)
    (self.store, name) = (store, run.plan.name)
  }

  /// What one metric measured; `nil` where cells have it already.
  ///
  /// - Throws: where the run has changed since its cells were read.
  func table(of metric: String) throws -> MeasurementTable? {
    guard let store else { return nil }
    guard let table = try store.digestedTable(of: metric, run: name) else {
      throw StoreError.changedRun(name: name)
    }
    return table
  }
}
