/// How much of the corpus a plan takes: a choice spread over voices, registers and techniques.
public enum Tier: String, Codable, CaseIterable, Sendable {
  /// A look at everything that may break: a sweep of some twenty settings ends within a minute.
  case smoke
  /// Every kind of voice and technique at least once: minutes.
  case standard
  /// All there is: hours.
  case release

  /// Recordings beside the probes, which every tier has.
  var mostRecordings: Int {
    switch self {
    case .smoke: 6
    case .standard: 24
    case .release: .max
    }
  }

  /// Sound in all, the probes left out.
  var mostSeconds: Double {
    switch self {
    case .smoke: 60
    case .standard: 240
    case .release: .infinity
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let tier = Tier(rawValue: name) else {
      let allowed = Tier.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "there is no tier '\(name)'; choose \(allowed)")
    }
    self = tier
  }
}
