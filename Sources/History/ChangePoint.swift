/// A commit from which on a figure has another level.
public struct ChangePoint: Codable, Equatable, Sendable {
  /// Position of the first commit with the new level.
  public var index: Int
  /// Median before and from then on, between the neighbouring change points.
  public var before: Double
  public var after: Double

  public init(index: Int, before: Double, after: Double) {
    (self.index, self.before, self.after) = (index, before, after)
  }
}
