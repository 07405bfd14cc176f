import Analyzer
import Corpus
import Files
import Foundation

/// Which metrics a plan measures: families and ids by name; all of them where it names none.
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

  /// In the order of the table, each once.
  public var metrics: [Metric] {
    guard !names.isEmpty else { return Metric.all }
    return MetricFamily.all.flatMap { family in
      family.metrics.filter { names.contains(family.id) || names.contains($0.id) }
    }
  }

  /// Of these, what a rendering tells; the others take rounds of careful timing.
  package var ofRenderings: [Metric] { metrics.filter { !$0.takesCare } }

  /// The chosen figures of careful timing.
  package var costFigures: [CostFigure] {
    let chosen = Set(metrics.lazy.filter(\.takesCare).map(\.id))
    return CostFigure.all.filter { chosen.contains($0.id) }
  }

  /// The first metric that is named itself and takes rounds of careful timing.
  package var nameThatTakesCare: String? {
    names.first { Metric.metric(id: $0)?.takesCare ?? false }
  }

  /// The first name that is neither a family's nor a metric's.
  public var unknownName: String? {
    names.first { name in
      !MetricFamily.all.contains { $0.id == name } && Metric.metric(id: name) == nil
    }
  }

  /// Of the chosen metrics with their versions and the settings of the judges: another fingerprint,
  /// other numbers.
  package var fingerprint: String {
    Self.judges + metrics.map { " \($0.id)/\($0.version)" }.joined()
  }

  private static let judges: String = {
    let tracker = (try? JSONEncoder.canonical.encode(PitchTracker.ofVoices.settings)) ?? Data()
    let fit = (try? JSONEncoder.canonical.encode(HarmonicFit.Settings())) ?? Data()
    return Digest.sha256(tracker + fit)
  }()
}
