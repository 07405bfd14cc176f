import Corpus
import Cost
import Foundation

/// What of a subject's cost a gate compares: a few settings, each by careful rounds of its own.
public struct GateCost: Codable, Equatable, Sendable {
  public enum Measure: String, Codable, CaseIterable, Sendable {
    /// On a core, by turns with the baseline or beside the calibration workload.
    case time
    /// Counted under valgrind.
    case instructions
  }

  public var by = Measure.time
  /// Each is compared by itself; all that the plan tries where there are none here.
  public var settings: [SubjectSettings] = []
  /// The smallest rise that matters.
  public var minimumPercent = 100 * CostTrial.Settings().minimumEffect

  public init() {}

  /// So many settings are compared without being named: each takes some seconds.
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

  /// How trials are held.
  var trial: CostTrial.Settings {
    var trial = CostTrial.Settings()
    trial.minimumEffect = minimumPercent / 100
    return trial
  }
}
