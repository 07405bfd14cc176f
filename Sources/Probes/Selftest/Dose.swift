/// A known amount of one thing, and what the metric for it says.
public struct Dose: Encodable, Sendable {
  /// What is dosed: 0, 1, 2, 5 and 10 units each.
  public enum Kind: String, Encodable, CaseIterable, Sendable {
    case detuning, delay, formants, tremolo, tilt, clicks

    var metric: String {
      switch self {
      case .detuning: "pitch.bias"
      case .delay: "latency.impulse"
      case .formants: "formant.f2_shift"
      case .tremolo: "tremolo.depth"
      case .tilt: "timbre.tilt_change"
      case .clicks: "clicks.count"
      }
    }

    /// By how much the found may miss the given, and why.
    ///
    /// Detuning: the tracker's own 0.1 cents, and 2 %. Delays: half a sample at 48 kHz. Formants: a
    /// third of what is just heard. Tremolo and tilt: less than half of what is just heard. Clicks are
    /// counted.
    func allowed(_ dose: Double) -> Double {
      switch self {
      case .detuning: 0.1 + 0.02 * dose
      case .delay: 0.5 / 48
      case .formants: 0.5
      case .tremolo: 0.2
      case .tilt: 0.2
      case .clicks: 0
      }
    }
  }

  public static let amounts = [0.0, 1, 2, 5, 10]

  public var kind: Kind
  public var metric: String
  public var unit: String
  public var given: Double
  /// `nil` where the metric is undefined.
  public var found: Double?
  public var allowed: Double
  public var undefined: String?

  public var isGood: Bool { found.map { abs($0 - given) <= allowed } ?? false }
}
