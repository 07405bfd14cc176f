/// A part of the corpus for a plan, spread over voices, registers and techniques.
public enum Tier: String, Codable, CaseIterable, Comparable, Sendable {
  /// Up to 6 recordings: a sweep of about twenty settings takes under a minute.
  case smoke
  /// Up to 30 recordings, with every kind of voice and technique: minutes.
  case standard
  /// All recordings: hours.
  case release

  /// Largest number of recordings, without the probes.
  var maxRecordings: Int {
    switch self {
    case .smoke: 6
    case .standard: 30
    case .release: .max
    }
  }

  /// Largest total duration, without the probes.
  var maxSeconds: Double {
    switch self {
    case .smoke: 60
    case .standard: 300
    case .release: .infinity
    }
  }

  /// The tiers' names, for errors.
  static let names = Tier.allCases.map(\.rawValue).joined(separator: ", ")

  public static func < (one: Tier, other: Tier) -> Bool {
    one.maxRecordings < other.maxRecordings
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let tier = Tier(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "there is no tier '\(name)'; choose \(Tier.names)")
    }
    self = tier
  }
}
