/// A stored run.
public struct StoredRun: Sendable {
  public var plan: Plan
  public var startedAt: String
  /// `nil` if the run is in progress or was interrupted.
  public var finishedAt: String?
  /// The stored cells in the order of the plan.
  public var cells: [CellResult]
  public var plannedCells: Int
}
