import Foundation
import Metrics
import Platform
import Subjects

/// The requirements on a subject, read from a YAML file: a plan, its reviewed baseline and limits.
/// `docs/reference/gate.md` describes every key.
public struct Gate: Decodable, Equatable, Sendable {
  /// The gate's file; its paths are relative to its folder.
  public var url = URL(fileURLWithPath: "gate.yaml")
  /// YAML file of the plan to run.
  public var plan: String
  /// Reviewed text file; the file of its cells lies beside it. By default it has the gate's name.
  public var baseline: String
  /// Number of inaudible changes of the input under which noise is measured; by default as many as
  /// the file of noise has, or `GateNoise.defaultPerturbations(isRandom:)`.
  public var perturbations: Int?
  /// Families or ids of the metrics to compare; by default all with a minimum effect.
  public var metrics: MetricChoice?
  /// Minimum effects that replace the metrics' own, by id and in their units.
  public var minimumEffects: [String: Double] = [:]
  /// Largest probability of any false verdict.
  public var level = VerdictRule().level
  /// Largest share of a figure's values that may go without a regression.
  public var maxMissingShare = RunComparison.Settings().maxMissingShare
  /// Required number of cells; by default that of the baseline.
  public var cells: Int?
  /// Number of cells measured in parallel; by default one for each core.
  public var jobs: Int?
  public var budgets: [Budget] = []
  /// False to leave out the sounds that are no voice.
  public var bench = true
  /// Costs to compare; `nil` compares none unless the command requests it.
  public var cost: GateCost?
  /// Shell lines that build a revision of the subject, run in the top folder of its repository.
  public var build: String?
  /// Path of choir-eval in that folder, if the subject is one of its own.
  public var program: String?

  public init(url: URL, plan: String, baseline: String) {
    (self.url, self.plan, self.baseline) = (url, plan, baseline)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case plan, baseline, perturbations, metrics, minimumEffects, level, maxMissingShare,
      cells, jobs, budgets, bench, cost, build, program
  }

  public var planFile: URL { file(plan) }
  public var baselineFile: URL { file(baseline) }
  public var noiseFile: URL { Baseline.noiseFile(of: baselineFile) }
  /// File of the accepted answers to sounds that are no voice.
  public var benchFile: URL { Baseline.benchFile(of: baselineFile) }

  /// Returns the command that accepts a change.
  func acceptCommand(_ options: String...) -> String {
    (["choir-eval accept", url.relativePath.forShell] + options + ["--reason \"…\""])
      .joined(separator: " ")
  }

  /// Returns the baseline, or `nil` if there is none yet; throws if it can't be read.
  public func readBaseline() throws(Refusal) -> Baseline? {
    guard FileManager.default.fileExists(atPath: baselineFile.path) else { return nil }
    return try Baseline(reading: baselineFile)
  }

  /// Returns the noise of a baseline, or `nil` if it was never measured.
  ///
  /// - Parameter accept: command that writes both again.
  /// - Throws: if the file can't be read or belongs to another baseline.
  public func readNoise(of baseline: Baseline, accept: String? = nil) throws -> GateNoise? {
    guard FileManager.default.fileExists(atPath: noiseFile.path) else { return nil }
    return try GateNoise(reading: noiseFile, of: baseline, accept: accept ?? acceptCommand("--all"))
  }

  /// Returns the accepted answers of a baseline, or `nil` if there are none yet.
  ///
  /// - Throws: if the file can't be read or belongs to another baseline.
  package func readBench(of baseline: Baseline) throws -> GateBench? {
    guard FileManager.default.fileExists(atPath: benchFile.path) else { return nil }
    return try GateBench(reading: benchFile, of: baseline, accept: acceptCommand("--all"))
  }

  /// Returns the changes of the input under which a baseline is measured.
  ///
  /// - Parameters:
  ///   - old: the noise of the baseline so far.
  ///   - isRandom: true if the subject's output differs from run to run.
  public func perturbationsToMeasure(after old: GateNoise?, isRandom: Bool) -> [Perturbation] {
    let known = old.flatMap { $0.isRandom == isRandom ? $0.perturbations : nil }
    let count = perturbations ?? known ?? GateNoise.defaultPerturbations(isRandom: isRandom)
    return (1...count).map(Perturbation.init)
  }

  private func file(_ path: String) -> URL {
    url.deletingLastPathComponent().resolving(path).absoluteURL
  }

  /// Ids of the metrics that are compared.
  public var comparedMetrics: [String] {
    (metrics?.metrics ?? Metric.all).filter(canCompare).map(\.id)
  }

  /// Returns true if more or less of a metric is worse, and it is known how much a listener notices.
  func canCompare(_ metric: Metric) -> Bool {
    metric.loss(0) != nil && (minimumEffects[metric.id] ?? metric.minimumEffect) != nil
  }

  func settings(leavingOut omitted: Set<String> = []) -> RunComparison.Settings {
    var settings = RunComparison.Settings()
    settings.rule.level = level
    settings.maxMissingShare = maxMissingShare
    settings.minimumEffects = minimumEffects
    settings.metrics = comparedMetrics.filter { !omitted.contains($0) }
    return settings
  }
}
