import DSP

/// The coefficients of a second-order `StateVariableFilter`.
///
/// The responses are those of the analogue prototypes under the bilinear transform: exact at the
/// named frequency and compressed towards half the sample rate above it, as in the Audio EQ
/// Cookbook. Frequencies are limited to 0.49 of the sample rate.
///
/// - Source: Simper, "Solving the continuous SVF equations using trapezoidal integration and
///   equivalent currents", Cytomic, 2013; Bristow-Johnson, "Audio EQ Cookbook".
struct FilterDesign: Sendable {
  /// The tangent of half the angle of the natural frequency; positive.
  var g: Double
  /// The damping, the reciprocal of Q; positive.
  var k: Double
  /// The shares in the output of the input, the band-pass (whose peak is 1 / k) and the low-pass.
  var input: Double
  var band: Double
  var low: Double

  @_noLocks init(g: Double, k: Double, input: Double, band: Double, low: Double) {
    (self.g, self.k) = (g, k)
    (self.input, self.band, self.low) = (input, band, low)
  }

  /// A filter that passes everything, with this one's `g` and `k`, so that one glides into the
  /// other.
  @_noLocks func passing() -> FilterDesign { FilterDesign(g: g, k: k, input: 1, band: 0, low: 0) }

  /// A low-pass of 12 dB an octave; the gain at the cut-off is `q`.
  @_noLocks static func lowPass(_ cutoffHz: Double, q: Double, sampleRateHz: Double) -> Self {
    FilterDesign(g: g(cutoffHz, sampleRateHz), k: 1 / q, input: 0, band: 0, low: 1)
  }

  /// A high-pass of 12 dB an octave; the gain at the cut-off is `q`.
  @_noLocks static func highPass(_ cutoffHz: Double, q: Double, sampleRateHz: Double) -> Self {
    FilterDesign(g: g(cutoffHz, sampleRateHz), k: 1 / q, input: 1, band: -1 / q, low: -1)
  }

  /// A peak of `gainDb` at its centre, 0 dB far away; cut and boost are inverse.
  @_noLocks static func peak(
    _ centreHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    let k = 1 / (q * root)
    return FilterDesign(
      g: g(centreHz, sampleRateHz), k: k, input: 1, band: k * (root * root - 1), low: 0)
  }

  /// A shelf of `gainDb` well below `middleHz`, half of that at it, 0 dB above.
  @_noLocks static func lowShelf(
    _ middleHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    return FilterDesign(
      g: g(middleHz, sampleRateHz) / RealtimeMath.root(root), k: 1 / q,
      input: 1, band: (root - 1) / q,
      low: root * root - 1)
  }

  /// A shelf of `gainDb` well above `middleHz`, half of that at it, 0 dB below.
  @_noLocks static func highShelf(
    _ middleHz: Double, gainDb: Double, q: Double, sampleRateHz: Double
  ) -> Self {
    let root = rootOfGain(gainDb)
    return FilterDesign(
      g: g(middleHz, sampleRateHz) * RealtimeMath.root(root), k: 1 / q,
      input: root * root, band: (1 - root) * root / q,
      low: 1 - root * root)
  }

  /// The number of samples after which the output is 60 dB below the input that ended, for any
  /// input. An upper bound, generous near critical damping; 0 for a filter that passes everything.
  var tailSamples: Int {
    @_noLocks get {
      guard band != 0 || low != 0 else { return 0 }
      // Starts from the level that resonance can build up; (1 + x) exp(-x) bounds two poles of
      // decay x.
      let loudest = 4 * max(1, 1 / k) * (1 + abs(input) + abs(band) + abs(low))
      let decay = Self.log(1000 * loudest)
      return Int((decay + Self.log(1 + decay) + 1) / -Self.log(slowestRadius)) + 2
    }
  }

  /// The decay per sample of the pole nearest to the unit circle.
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
