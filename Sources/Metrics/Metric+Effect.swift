/// What a change of a metric means to a listener.
extension Metric {
  /// The smallest change that matters, in the metric's unit; `nil` where a metric only describes
  /// (the rate of a tremolo says nothing about how much of it there is) or is judged as cost.
  ///
  /// Most go by their unit:
  /// - 2 cents: what trained listeners just hear on complex tones, 0.1 to 0.2 % (Moore, "An
  ///   Introduction to the Psychology of Hearing", chapter 6);
  /// - 2 %: the smallest shift of a formant of a steady vowel that is heard, 1.5 % at best
  ///   (Kewley-Port and Watson, "Formant-frequency discrimination for isolated English vowels",
  ///   1994);
  /// - 0.5 dB: a change of level that is just heard at all (Jesteadt, Wier and Green, 1977);
  /// - 0.25 ms: twelve samples, far below what is heard and above what alignment leaves;
  /// - a share of 0.01: one frame in a hundred.
  public var minimumEffect: Double? {
    if let own = Self.ownEffects[id] { return own }
    if Self.descriptive.contains(id) || id.hasPrefix("cpu.") || id.hasPrefix("block.") {
      return nil
    }
    return switch unit {
    case "cents": 2
    case "%": 2
    case "dB", "LU": 0.5
    case "dB/octave": 0.25
    case "dBFS": 3
    case "ms": 0.25
    case "share": 0.01
    case "ratio": 0.02
    case "Hz": 0.25
    case "asper": 0.05
    case "count": 0.2
    default: nil
    }
  }

  /// Where a metric without direction is best: a formant's ratio at 1, a bias at 0. `nil` of those
  /// that fall or rise, and of those that only describe.
  public var ideal: Double? {
    guard direction == .target, !Self.descriptive.contains(id) else { return nil }
    return unit == "ratio" && id != "dc.offset" ? 1 : 0
  }

  /// How much worse than ideal a value is, up to a constant: differences of it are positive where
  /// things got worse. `nil` where no value is better than another.
  public func loss(_ value: Double) -> Double? { loss(value, ideal: ideal) }

  /// With the ideal at hand: to look it up takes longer than all else.
  package func loss(_ value: Double, ideal: Double?) -> Double? {
    switch direction {
    case .lower: value
    case .higher: -value
    case .target: ideal.map { abs(value - $0) }
    }
  }

  private static let ownEffects: [String: Double] = [
    // A twentieth of an octave error in a hundred notes is heard at once.
    "pitch.octave_errors": 0.005,
    "pitch.gross_errors": 0.005,
    "voice.missing": 0.005,
    "pitch.vibrato_extent_ratio": 0.05,
    // A hundredth of full scale is far more than any processor leaves.
    "dc.offset": 0.001,
    "clipping.share": 0.0001,
    // One sample that is not a number silences a rack.
    "samples.non_finite": 0.01,
    // An audio thread that allocates once in a hundred blocks will be late one day.
    // The least of these is too much.
    "contract.non_finite": 0.01,
    "contract.stale": 0.000_001,
    "contract.allocations": 0.001,
    // A stated delay is exact.
    "latency.reported": 0.02,
  ]

  /// Metrics that say what a thing is like, not how much of it there is.
  private static let descriptive: Set = [
    "tremolo.rate", "doubling.level", "doubling.delay", "noise.floor", "truth.excluded",
    "truth.uncertainty",
  ]
}
