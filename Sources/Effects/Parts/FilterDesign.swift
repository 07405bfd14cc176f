import DSP

/// What a filter of second order makes of sound: the numbers of a `StateVariableFilter`.
///
/// The responses are those of the analogue prototypes under the bilinear transform, exact at the
/// frequency that is named, squeezed towards half the sample rate above it: the same as those of
/// the Audio EQ Cookbook. A frequency above 0.49 of the sample rate is taken as that.
///
/// - Source: Simper, "Solving the continuous SVF equations using trapezoidal integration and
///   equivalent currents", Cytomic, 2013; Bristow-Johnson, "Audio EQ Cookbook".
struct FilterDesign: Sendable {
  /// Tangent of half the angle of the natural frequency; positive.
  var g: Double
  /// Damping, the reciprocal of Q; positive.
  var k: Double
  /// Shares in the output: of the input, of the band-pass (whose peak is 1 / k), of the low-pass.
  var input: Double
  var band: Double
  var low: Double

  @_noLocks init(g: Double, k: Double, input: Double, band: Double, low: Double) {
    (self.g, self.k) = (g, k)
    (self.input, self.band, self.low) = (input, band, low)
  }

  /// Passes all; its `g` and `k` are those of another, so that one glides into the other.
  @_noLocks func passing() -> FilterDesign { FilterDesign(g: g, k: k, input: 1, band: 0, low: 0) }

  /// 12 dB an octave; the gain at the cut-off is `q`.
  @_noLocks static func lowPass(_ cutoffHz: Double, q: Double, sampleRateHz: Double) -> Self {
    FilterDesign(g: g(cutoffHz, sampleRateHz), k: 1 / q, input: 0, band: 0, low: 1)
  }

  /// 12 dB an octave; the gain at the cut-off is `q`.
  @_noLocks static func highPass(_ cutoffHz: Double, q: Double, sampleRateHz: Double) -> Self {
    FilterDesign(g: g(cutoffHz, sampleRateHz), k: 1 / q, input: 1, band: -1 / q, low: -1)
  }

  /// Gain 1 in the middle; the half-power points lie `centreHz / q` apart before the squeeze.
  @_noLocks static func bandPass(_ centreHz: Double, q: Double, sampleRateHz: Double) -> Self {
    FilterDesign(g: g(centreHz, sampleRateHz), k: 1 / q, input: 0, band: 1 / q, low: 0)
  }

  /// `gainDb` in the middle, 0 dB far away; cut and boost mirror each other.
  @_noLocks static func peak(
    _ centreHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    let k = 1 / (q * root)
    return FilterDesign(
      g: g(centreHz, sampleRateHz), k: k, input: 1, band: k * (root * root - 1), low: 0)
  }

  /// `gainDb` well below `middleHz`, half of it there, 0 dB above.
  @_noLocks static func lowShelf(
    _ middleHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    return FilterDesign(
      g: g(middleHz, sampleRateHz) / RealtimeMath.root(root), k: 1 / q,
      input: 1, band: (root - 1) / q,
      low: root * root - 1)
  }

  /// `gainDb` well above `middleHz`, half of it there, 0 dB below.
  @_noLocks static func highShelf(
    _ middleHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    return FilterDesign(
      g: g(middleHz, sampleRateHz) * RealtimeMath.root(root), k: 1 / q,
      input: root * root, band: (1 - root) * root / q,
      low: 1 - root * root)
  }

  /// How long it rings: after that many samples the output is 60 dB under the input that has ended,
  /// whatever that was. A bound, generous where the damping is near critical; 0 if it passes all.
  var tailSamples: Int {
    @_noLocks get {
      guard band != 0 || low != 0 else { return 0 }
      // From what resonance has piled up; (1 + x) exp(-x) bounds a pair of poles of decay x.
      let loudest = 4 * max(1, 1 / k) * (1 + abs(input) + abs(band) + abs(low))
      let decay = Self.log(1000 * loudest)
      return Int((decay + Self.log(1 + decay) + 1) / -Self.log(slowestRadius)) + 2
    }
  }

  /// How much of it is left a sample later, at the pole that is nearest to the unit circle.
  private var slowestRadius: Double {
    @_noLocks get {
      guard k > 2 else {
        return RealtimeMath.root((1 - k * g + g * g) / (1 + k * g + g * g))
      }
      let spread = RealtimeMath.root(k * k / 4 - 1)
      let (slow, fast) = (g * (k / 2 - spread), g * (k / 2 + spread))
      return max(abs(1 - slow) / (1 + slow), abs(1 - fast) / (1 + fast))
    }
  }

  @_noLocks private static func log(_ value: Double) -> Double {
    RealtimeMath.log2(value) / 1.442_695_040_888_963_4
  }

  @_noLocks func isSame(as other: FilterDesign) -> Bool {
    g == other.g && k == other.k && input == other.input && band == other.band && low == other.low
  }

  @_noLocks static func g(_ frequencyHz: Double, _ sampleRateHz: Double) -> Double {
    RealtimeMath.tangent(.pi * min(frequencyHz / sampleRateHz, 0.49))
  }

  /// The square root of the gain as a ratio.
  @_noLocks private static func rootOfGain(_ gainDb: Double) -> Double {
    RealtimeMath.power(10, gainDb / 40)
  }
}
