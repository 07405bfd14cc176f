import Foundation
import Metrics

/// What a subject is held against, from a YAML file that a person writes: a plan, its reviewed
/// baseline, and limits; `docs/reference/gate.md` shows every key.
public struct Gate: Equatable, Sendable {
  /// The gate's own; paths in it are seen from there.
  public var url: URL
  /// YAML file of the plan to run.
  public var plan: String
  /// Reviewed text file; its evidence lies beside it.
  public var baseline: String
  /// What equal runs differ by, as `gate --calibrate` wrote it; nothing unless given.
  public var noise: String?
  /// Families or ids of the metrics to compare; all that have a minimum effect unless given.
  public var metrics: MetricChoice?
  /// In place of the metric's own, by id and in its unit.
  public var minimumEffects: [String: Double] = [:]
  /// The chance of one false verdict among all, at most.
  public var level = DifferenceTest().level
  /// The share of a figure's cells that may lose their value before that is a regression.
  public var maxMissingShare = RunComparison.Settings().maxMissingShare
  /// How many there must be; as many as the baseline has unless given.
  public var cells: Int?
  /// Cells at work at once; one for each core unless given.
  public var jobs: Int?
  public var budgets: [Budget] = []
  /// What is compared of cost; `nil`: nothing, unless it is asked for.
  public var cost: GateCost?

  public init(url: URL, plan: String, baseline: String) {
    (self.url, self.plan, self.baseline) = (url, plan, baseline)
  }

  public var planFile: URL { file(plan) }
  public var baselineFile: URL { file(baseline) }
  public var noiseFile: URL? { noise.map(file) }

  private func file(_ path: String) -> URL {
    URL(fileURLWithPath: path, relativeTo: url.deletingLastPathComponent()).absoluteURL
  }

  /// The ids of the metrics that are compared.
  public var comparedMetrics: [String] {
    (metrics ?? .everything).metrics.filter { metric in
      metric.loss(0) != nil && (minimumEffects[metric.id] ?? metric.minimumEffect) != nil
    }.map(\.id)
  }

  func settings(
    noise: GateNoise?, leavingOut omitted: Set<String> = []
  ) -> RunComparison.Settings {
    var settings = RunComparison.Settings()
    settings.test.level = level
    settings.maxMissingShare = maxMissingShare
    settings.minimumEffects = minimumEffects
    settings.metrics = comparedMetrics.filter { !omitted.contains($0) }
    settings.noise = noise?.byMetric ?? [:]
    return settings
  }
}
