import Platform

/// One property of a rendering that is measured.
public struct Metric: Sendable {
  /// The better direction.
  public enum Direction: String, Codable, Sendable {
    case lower, higher
    /// Better the nearer it is to a wanted value.
    case target
  }

  public let id: String
  /// Version; raised whenever known inputs get other values.
  public let version: Int
  public let unit: String
  public let direction: Direction
  /// Summary in one line.
  public let summary: String
  /// Condition under which it is defined.
  public let domain: String
  /// True if it needs rounds of careful timing, as in plans with `cost: careful`.
  public let takesCare: Bool
  /// Returns one measurement, or one for each voice; never none.
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

extension Metric {
  /// Says that a name is no metric, and which come nearest.
  ///
  /// - Parameter orFamily: true if a family may be named as well.
  package static func unknown(_ name: String, orFamily: Bool = false) -> String {
    let names = all.map(\.id) + (orFamily ? MetricFamily.all.map(\.id) : [])
    let near = SimilarNames.nearest(to: name, among: names)
    let kind = orFamily ? "metric or family" : "metric"
    return "'\(name)' is no \(kind); "
      + SimilarNames.inWords(near, none: "choir-eval metrics list has all")
  }
}
