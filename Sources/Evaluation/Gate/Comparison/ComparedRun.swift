import Sweep

/// The cells of one side of a comparison, with their measurements. Those of a small run are in
/// memory. Those of a large run, which has millions, are read by metric on demand.
public struct ComparedRun: Sendable {
  public let cells: [ComparedCell]
  /// Store with the digest of the run; `nil` if the cells hold all measurements.
  private let store: ResultStore?
  private let name: String

  /// - Parameters:
  ///   - run: the run as `ResultStore.runToCompare` read it, or some of its cells.
  ///   - store: store to read measurements from; `nil` if the cells hold them all.
  ///   - ignored: settings, or `subject`, to ignore when cells are matched.
  public init(
    _ run: StoredRun, readingFrom store: ResultStore?, ignoring ignored: Set<String> = []
  ) {
    cells = run.comparedCells(ignoring: ignored)
    (self.store, name) = (store, run.plan.name)
  }

  /// Returns the measurements of one metric; `nil` if the cells hold them.
  ///
  /// - Throws: if the run has changed since its cells were read.
  func table(of metric: String) throws -> MeasurementTable? {
    guard let store else { return nil }
    guard let table = try store.digestedTable(of: metric, run: name) else {
      throw StoreError.changedRun(name: name)
    }
    return table
  }
}
