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
    /// Detuning: the tracker's own 0.1 cents, and 2 %. Delays: half a sample at 48 kHz. Formants: half
    /// a point, and what the fit misses of large shifts. Tremolo: what the voice's own swing
    /// leaves (a quarter of what matters), and a twentieth. Tilt: a tenth of what is heard. Clicks
    /// are counted.
    func allowed(_ dose: Double) -> Double {
      switch self {
      case .detuning: 0.1 + 0.02 * dose
      case .delay: 0.5 / 48
      case .formants: max(0.5, 0.06 * dose)
      case .tremolo: 0.125 + 0.05 * dose
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
