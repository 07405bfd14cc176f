/// One thing that is measured of a rendering.
public struct Metric: Sendable {
  /// Which way is better.
  public enum Direction: String, Codable, Sendable {
    case lower, higher
    /// Better the nearer to a value that depends on what is wanted.
    case target
  }

  public let id: String
  /// Raised whenever known inputs score differently.
  public let version: Int
  public let unit: String
  public let direction: Direction
  /// What it is, in a line.
  public let summary: String
  /// When it is defined.
  public let domain: String
  /// Whether it takes rounds of careful timing: only plans that say `cost: careful` measure it.
  public let takesCare: Bool
  /// One measurement, or one per voice; never none.
  public let measure: @Sendable (Observation) -> [MetricResult]

  init(
    _ id: String, version: Int = 1, unit: String, _ direction: Direction, _ summary: String,
    domain: String, takesCare: Bool = false,
    measure: @escaping @Sendable (Observation) -> [MetricResult]
  ) {
    self.id = id
    self.version = version
    self.unit = unit
    self.direction = direction
    self.summary = summary
    self.domain = domain
    self.takesCare = takesCare
    self.measure = measure
  }
}

extension Metric {
  public static let all: [Metric] = MetricFamily.all.flatMap(\.metrics)

  public static func metric(id: String) -> Metric? { all.first { $0.id == id } }
}
