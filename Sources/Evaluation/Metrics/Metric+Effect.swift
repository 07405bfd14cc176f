/// The significance of a metric's change for a listener.
extension Metric {
  /// Minimum effect: the smallest change that matters, in the metric's unit. It is `nil` for cost
  /// and for a metric that only describes, as the rate of a tremolo says nothing about its depth.
  ///
  /// Most minimum effects follow from the unit:
  /// - 2 cents: the difference limen of trained listeners for complex tones, 0.1 to 0.2 % (Moore,
  ///   "An Introduction to the Psychology of Hearing", chapter 6);
  /// - 2 %: just above the smallest audible shift of a formant of a steady vowel, 1.5 % at best
  ///   (Kewley-Port and Watson, "Formant-frequency discrimination for isolated English vowels",
  ///   1994);
  /// - 0.5 dB: the just audible change of level (Jesteadt, Wier and Green, 1977);
  /// - 0.25 ms: twelve samples at 48 kHz, far below audibility and above the error of alignment;
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

  /// Best value of a metric without direction: 1 for a formant's ratio, 0 for a bias. It is `nil`
  /// for metrics with a direction and for those that only describe.
  public var ideal: Double? {
    guard direction == .target, !Self.descriptive.contains(id) else { return nil }
    return unit == "ratio" && id != "dc.offset" ? 1 : 0
  }

  /// Returns the distance from ideal up to a constant, so that differences are positive if things
  /// get worse. It is `nil` if no value is better than another.
  public func loss(_ value: Double) -> Double? { loss(value, ideal: ideal) }

  /// Returns the loss for a known ideal, whose lookup takes longer than everything else.
  package func loss(_ value: Double, ideal: Double?) -> Double? {
    switch direction {
    case .lower: value
    case .higher: -value
    case .target: ideal.map { abs(value - $0) }
    }
  }

  private static let ownEffects: [String: Double] = [
    // Octave errors in 1 % of the notes are heard at once; half of that counts.
    "pitch.octave_errors": 0.005,
    "pitch.gross_errors": 0.005,
    // The ideal voice itself has 2 to 3 cents in the 95th percentile (docs/data/validity.csv).
    "pitch.abs_error.p95": 5,
    "pitch.vibrato_extent_ratio": 0.05,
    // A shift of 2 % must be found, so the limit lies below it, and below the 1.5 % that is heard.
    "formant.ratio": 0.01,
    // A hundredth of full scale is far more than any processor leaves; a tenth of that counts.
    "dc.offset": 0.001,
    "clipping.share": 0.0001,
    // One non-finite sample silences a rack.
    "samples.non_finite": 0.01,
    // An audio thread that allocates once in a hundred blocks will be late some day. The smallest
    // amount of each of these is too much.
    "contract.non_finite": 0.01,
    "contract.stale": 0.000_001,
    "contract.allocations": 0.001,
    // Above the uncertainty of the lag and of the delay themselves.
    "pitch.lag": 1,
    "latency.voice": 2,
    // A stated latency is exact.
    "latency.reported": 0.02,
  ]

  /// Metrics that describe a property without measuring how much of it there is.
  private static let descriptive: Set = [
    "tremolo.rate", "doubling.level", "doubling.delay", "truth.excluded",
    "truth.uncertainty", "mix.told", "mix.uncertainty", "pitch.lag.deviation",
    "latency.onset.deviation",
    // Follows the gain of a compressor, which is not late.
    "latency.loudness",
    // Rougher and less smeared is not worse: a delay line has both from its two taps, which
    // modulation.added finds.
    "roughness.change", "transient.smear",
    // Wide or narrow is a matter of taste; the loss in mono is not.
    "stereo.correlation",
  ]
}
