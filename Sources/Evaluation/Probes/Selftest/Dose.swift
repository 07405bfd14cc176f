/// A known amount of one fault, and what the metric for it measures.
public struct Dose: Encodable, Sendable {
  /// The quantity that is dosed, at each of `amounts`.
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

    /// Largest allowed difference between found and given.
    ///
    /// Detuning: the tracker's own 0.1 cents plus 2 %. Delay: half a sample at 48 kHz. Formants: a
    /// third of the just noticeable difference. Tremolo and tilt: less than half of it. Clicks are
    /// counted exactly.
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
  /// The measured amount; `nil` if the metric is undefined.
  public var found: Double?
  public var allowed: Double
  public var undefined: String?

  public var isGood: Bool { found.map { abs($0 - given) <= allowed } ?? false }
}
