import Corpus
import Foundation
import Platform

/// The metrics that a plan measures: families and ids by name; an empty list means all.
public struct MetricChoice: Codable, Equatable, Sendable {
  public var names: [String]

  public static let everything = MetricChoice([])

  public init(_ names: [String]) { self.names = names }

  public init(from decoder: any Decoder) throws {
    names = try decoder.singleValueContainer().decode([String].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }

  /// The chosen metrics in the order of the table, each once.
  public var metrics: [Metric] {
    guard !names.isEmpty else { return Metric.all }
    return MetricFamily.all.flatMap { family in
      family.metrics.filter { names.contains(family.id) || names.contains($0.id) }
    }
  }

  /// The chosen metrics that a rendering provides, without those that need careful timing.
  package var ofRenderings: [Metric] { metrics.filter { !$0.needsCarefulTiming } }

  /// The chosen metrics that need careful timing.
  package var ofRounds: [Metric] { metrics.filter(\.needsCarefulTiming) }

  /// The first name of a single metric that needs careful timing.
  package var carefulMetricName: String? {
    names.first { Metric.metric(id: $0)?.needsCarefulTiming ?? false }
  }

  /// The first name that is neither a family nor a metric.
  public var unknownName: String? {
    names.first { name in
      !MetricFamily.all.contains { $0.id == name } && Metric.metric(id: name) == nil
    }
  }

  /// The mistake in the choice: it is empty, or has a name that is neither a family nor a metric.
  package var problem: String? {
    if let unknownName { return Metric.unknown(unknownName, orFamily: true) }
    return names.isEmpty
      ? "metrics is empty; name families or metrics of choir-eval metrics list, or leave it out for all"
      : nil
  }

  /// Digest of the chosen metrics, their versions and the settings of all judges. The same sound has
  /// the same values under the same fingerprint, by this build or another.
  package var fingerprint: String {
    Digest.sha256(
      Judges.fingerprint + metrics.map { " \($0.id)/\($0.version)" }.joined())
  }
}
