import Foundation
import Platform

/// One property of a rendering that is measured.
public struct Metric: Sendable {
  /// The better direction.
  public enum Direction: String, Codable, Sendable {
    case lower, higher
    /// Better the nearer it is to a wanted value.
    case target
  }

  /// Source of the measurement: the rendering of a cell, a user's program that gets its sounds, or rounds
  /// of careful timing, as in plans with `cost: careful`.
  enum Source: Sendable {
    case rendering(@Sendable (Observation) throws -> [MetricResult])
    case program(OwnMetric)
    case rounds(@Sendable (CellCost) throws -> Double)
  }

  let figure: Figure
  /// Condition under which it is defined.
  public let domain: String
  private let source: Source

  /// - Parameter measure: returns one measurement, or one for each voice; never none. If it throws, the
  ///   error is the reason for a missing value.
  init(
    _ figure: Figure, domain: String,
    measure: @escaping @Sendable (Observation) throws -> [MetricResult]
  ) {
    (self.figure, self.domain, source) = (figure, domain, .rendering(measure))
  }

  init(
    _ figure: Figure, domain: String,
    ofRounds value: @escaping @Sendable (CellCost) throws -> Double
  ) {
    (self.figure, source) = (figure, .rounds(value))
    self.domain = "\(domain); \(Undefined.carefulCostOnly)"
  }

  init(_ figure: Figure, domain: String, program: OwnMetric) {
    (self.figure, self.domain, source) = (figure, domain, .program(program))
  }

  /// The user's description; `nil` for a metric of this toolkit.
  public var own: OwnMetric? { if case .program(let own) = source { own } else { nil } }

  public var id: String { figure.id }
  public var version: Int { figure.version }
  public var unit: String { figure.unit }
  public var direction: Direction { figure.direction }
  public var summary: String { figure.summary }
  /// The measured property, in words for the middle of a sentence: `pitch error`.
  public var title: String {
    let words = String(summary.prefix { !",;:".contains($0) })
    // An abbreviation keeps its capitals.
    let isWord = words.dropFirst().first?.isLowercase ?? false
    return isWord ? words.prefix(1).lowercased() + words.dropFirst() : words
  }
  public var minimumEffect: Double? { figure.minimumEffect }
  public var ideal: Double? { figure.ideal }

  /// True if it needs rounds of careful timing.
  public var needsCarefulTiming: Bool { if case .rounds = source { true } else { false } }

  /// Returns one measurement, or one for each voice; never none.
  public func measure(_ observation: Observation) -> [MetricResult] {
    switch source {
    case .rendering(let measure):
      do { return try measure(observation) } catch { return [.undefined(Undefined(error))] }
    case .program(let own):
      do { return try own.results(of: observation) } catch { return [.undefined(Undefined(error))] }
    case .rounds: return [.undefined(.carefulCostOnly)]
    }
  }

  /// Measures it on a recording of a class. Where it is not valid there is no value.
  package func results(of observation: Observation, on kind: RecordingClass) -> [MetricResult] {
    guard !observation.isProbe, grade(on: kind) == .invalid else { return measure(observation) }
    return [.undefined(.notValid, "validation found that it is not valid on \(kind)")]
  }

  /// Returns the figure of rounds of careful timing.
  package func measurement(of cost: CellCost) -> MetricResult {
    guard case .rounds(let value) = source else { return .undefined(.notTimed, "it costs nothing") }
    do {
      return .value(try value(cost), count: cost.blocks?.blockMs.count ?? cost.rounds)
    } catch { return .undefined(Undefined(error)) }
  }

  /// Returns the distance from ideal up to a constant, so that differences are positive if things
  /// get worse. It is `nil` if no value is better than another.
  public func loss(_ value: Double) -> Double? {
    switch direction {
    case .lower: value
    case .higher: -value
    case .target: ideal.map { abs(value - $0) }
    }
  }
}

extension Metric {
  /// The metrics of this toolkit.
  static let builtIn: [Metric] = MetricFamily.builtIn.flatMap(\.metrics)
  private static let builtInByID = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.id, $0) })

  /// The metrics of this toolkit, and the users' own ones of the plans that were read.
  public static var all: [Metric] { builtIn + OwnMetric.known }

  public static func metric(id: String) -> Metric? {
    builtInByID[id] ?? OwnMetric.known.first { $0.id == id }
  }

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
