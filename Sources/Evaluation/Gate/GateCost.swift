import Corpus
import Foundation
import Metrics

/// The settings whose costs a gate compares, and how; each setting takes rounds of its own.
public struct GateCost: Codable, Equatable, Sendable {
  public enum Measure: String, Codable, CaseIterable, Sendable {
    /// Time on a core, measured in turns with the baseline or against the calibration workload.
    case time
    /// Instructions counted under valgrind.
    case instructions
  }

  public var by = Measure.time
  /// Settings that are compared one by one; if empty, all that the plan tries.
  public var settings: [SubjectSettings] = []
  /// Minimum effect in percent.
  public var minimumPercent = 100 * CostTrial.Settings().minimumEffect

  public init() {}

  /// Largest number of settings that are compared unless the gate names them; each takes seconds.
  static let mostUnnamed = 4

  enum CodingKeys: String, CodingKey, CaseIterable { case by, settings, minimumPercent }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try container.decodeIfPresent(String.self, forKey: .by) {
      guard let measure = Measure(rawValue: name) else {
        let allowed = Measure.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: .by, in: container, debugDescription: "'\(name)' is none of \(allowed)")
      }
      by = measure
    }
    settings = try container.decodeIfPresent([SubjectSettings].self, forKey: .settings) ?? settings
    minimumPercent =
      try container.decodeIfPresent(Double.self, forKey: .minimumPercent) ?? minimumPercent
  }

  /// Settings of the cost trials.
  var trial: CostTrial.Settings {
    var trial = CostTrial.Settings()
    trial.minimumEffect = minimumPercent / 100
    return trial
  }
}
