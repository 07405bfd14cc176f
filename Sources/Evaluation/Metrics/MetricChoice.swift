import Corpus
import Foundation
import Platform

/// The metrics that a plan measures: families and ids by name, and the users' own ones; an empty list
/// means all of this toolkit.
public struct MetricChoice: Codable, Equatable, Sendable {
  public var names: [String]
  /// The users' own metrics, which a plan lists with the names.
  package var own: [OwnMetric] = []

  public static let everything = MetricChoice([])

  /// Name of all metrics of this toolkit, to list them beside own ones.
  package static let allName = "all"

  public init(_ names: [String]) { self.names = names }

  /// Reads a list of names and of own metrics, written out, which are known from then on.
  public init(from decoder: any Decoder) throws {
    let items = try decoder.singleValueContainer().decode([Item].self)
    names = items.compactMap(\.name)
    own = items.compactMap(\.own)
    for metric in own { metric.register() }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names.map { Item(name: $0) } + own.map { Item(own: $0) })
  }

  private struct Item: Codable {
    var name: String?
    var own: OwnMetric?

    init(name: String? = nil, own: OwnMetric? = nil) { (self.name, self.own) = (name, own) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      name = try? container.decode(String.self)
      if name == nil { own = try container.decode(OwnMetric.self) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let own { try container.encode(own) } else { try container.encode(name) }
    }
  }

  /// The chosen metrics in the order of the table, each once.
  public var metrics: [Metric] {
    let isAll = names.contains(Self.allName) || names.isEmpty && own.isEmpty
    let ours =
      isAll
      ? Metric.builtIn
      : MetricFamily.builtIn.flatMap { family in
        family.metrics.filter { names.contains(family.id) || names.contains($0.id) }
      }
    // Names of own metrics are those of a plan that was read before, as in a gate.
    let named = OwnMetric.known.filter { metric in
      (names.contains(metric.id) || names.contains(MetricFamily.ownID))
        && !own.contains { $0.id == metric.id }
    }
    return ours + named + own.map(\.metric)
  }

  /// The chosen metrics that a rendering provides, without those that need careful timing.
  package var ofRenderings: [Metric] { metrics.filter { !$0.needsCarefulTiming } }

  /// The chosen metrics that need careful timing.
  package var ofRounds: [Metric] { metrics.filter(\.needsCarefulTiming) }

  /// Returns the ids of own metrics whose description or program is another than in a second choice.
  package func changed(from other: MetricChoice?) -> [String] {
    let theirs = (other?.own ?? []).keyed(by: \.id)
    return own.filter { theirs[$0.id].map(\.content) ?? $0.content != $0.content }.map(\.id)
  }

  /// - Throws: if the program of an own metric can't be found.
  package func requireInstalled() throws {
    for metric in metrics { try metric.own?.requireInstalled() }
  }

  /// The first name of a single metric that needs careful timing.
  package var carefulMetricName: String? {
    names.first { Metric.metric(id: $0)?.needsCarefulTiming ?? false }
  }

  /// The first name that is neither a family nor a metric.
  public var unknownName: String? {
    names.first { name in
      name != Self.allName && !MetricFamily.all.contains { $0.id == name }
        && Metric.metric(id: name) == nil
    }
  }

  /// The mistake in the choice: it is empty, or has a name that is neither a family nor a metric.
  package var problem: String? {
    let ids = own.map(\.id)
    if let twice = ids.indices.first(where: { ids[..<$0].contains(ids[$0]) }) {
      return "'\(ids[twice])' is there twice; keep one"
    }
    if let unknownName { return Metric.unknown(unknownName, orFamily: true) }
    return names.isEmpty && own.isEmpty
      ? "metrics is empty; name families or metrics of choir-eval metrics list, or leave it out for all"
      : nil
  }

  /// Digest of the chosen metrics, their versions and the settings of all judges. The same sound has
  /// the same values under the same fingerprint, by this build or another.
  package var fingerprint: String {
    Digest.sha256(
      Judges.fingerprint
        + metrics.map { " \($0.id)/\($0.own?.content ?? "\($0.version)")" }.joined())
  }
}
