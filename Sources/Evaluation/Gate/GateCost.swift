import Corpus
import Foundation
import Metrics
import Platform

/// The settings whose costs a gate compares; each setting takes rounds of its own.
public struct GateCost: Codable, Equatable, Sendable {
  /// Settings that are compared one by one; if empty, all that the plan tries.
  public var settings: [SubjectSettings] = []
  /// Minimum effect in percent.
  public var minimumPercent = 100 * CostTrial.Settings().minimumEffect

  public init() {}

  /// Largest number of settings that are compared unless the gate names them; each takes seconds.
  static let maxUnnamed = 4

  enum CodingKeys: String, CodingKey, CaseIterable { case settings, minimumPercent }

  /// Settings of the cost trials.
  var trial: CostTrial.Settings {
    var trial = CostTrial.Settings()
    trial.minimumEffect = minimumPercent / 100
    return trial
  }
}
