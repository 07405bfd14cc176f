import DSP

/// Evidence of one frame about each of its candidate periods: correlations, and powers of its harmonics and
/// of what lies between them.
///
/// - Allocates: in `init` only.
/// - Source: Hermes, "Measurement of pitch by subharmonic summation", JASA 83(1), 1988, for the sums;
///   Sun, "Pitch determination and voice quality analysis using subharmonic-to-harmonic ratio", ICASSP
///   2002, for the comparison of harmonics with those of the octave below.
struct CandidateEvidence: ~Copyable {
  /// Number of values that describe a candidate.
  static var valueCount: Int { @_noLocks get { 32 } }
  /// Lowest logarithm of a share: what lies 43 dB lower is noise of the window.
  static var minLog: Float { @_noLocks get { -10 } }

  struct Candidate: BitwiseCopyable {
    var f0Hz = 0.0
    /// Correlation of the sound one period apart in a long stretch, and in a short one.
    var correlation = 0.0
    var nearCorrelation = 0.0
    /// Correlation at the last multiple of the period within the lags.
    var persistence = 0.0
    /// Long correlation at 1/2, 1/3, 2/3 and 3/2 of the period; 0 beyond the lags.
    var atFractions = SIMD4<Float>.zero
  }

  /// Values of all candidates, `valueCount` each.
  private(set) var values: RealtimeArray<Float>
  private(set) var candidates: RealtimeArray<Candidate>
  private(set) var count = 0
  private var sums: RealtimeArray<HarmonicSums>

  init(maxCandidates: Int) {
    values = RealtimeArray(count: maxCandidates * Self.valueCount)
    candidates = RealtimeArray(repeating: Candidate(), count: maxCandidates)
    sums = RealtimeArray(repeating: HarmonicSums(), count: maxCandidates)
  }

  /// Begins a frame.
  @_noLocks mutating func removeAll() { count = 0 }

  @_noLocks mutating func add(_ candidate: Candidate) {
    candidates[count] = candidate
    count &+= 1
  }

  /// Describes the candidates added.
  ///
  /// - Parameters:
  ///   - spectrum: power and amplitude of each bin.
  ///   - total: sum of the powers.
  ///   - shareAboveNoise: a measure, 0 to 1, of how far the frame exceeds the noise.
  @_noLocks mutating func describe(
    by spectrum: borrowing RealtimeArray<SIMD2<Float>>, hzPerBin: Float, total: Float,
    shareAboveNoise: Float
  ) {
    var salience: Float = 0  // the greatest
    for i in 0..<count {
      sums[i] = HarmonicSums(of: spectrum, f0Hz: Float(candidates[i].f0Hz), hzPerBin: hzPerBin)
      salience = max(salience, sums[i].salience)
    }
    for i in 0..<count {
      var (correlation, near) = (0.0, 0.0)  // the highest of the others
      for j in 0..<count where j != i {
        correlation = max(correlation, candidates[j].correlation)
        near = max(near, candidates[j].nearCorrelation)
      }
      let (own, sum) = (candidates[i], sums[i])
      let all = sum.all
      let start = i &* Self.valueCount
      values[start] = Float(own.correlation)
      values[start &+ 1] = Float(own.nearCorrelation)
      values[start &+ 2] = Float(own.persistence)
      values[start &+ 3] = Float(RealtimeMath.log2(own.f0Hz / 200))
      values[start &+ 4] = shareAboveNoise
      values[start &+ 5] = Self.log(sum.odd.x, all.x)
      values[start &+ 6] = Self.log(sum.halves.x, all.x)
      values[start &+ 7] = Self.log(sum.others.x, all.x)
      values[start &+ 8] = Self.log(sum.thirds.x, all.x)
      values[start &+ 9] = Self.log(sum.first.x, all.x)
      values[start &+ 10] = Self.log(all.x, total)
      values[start &+ 11] = Self.log(sum.odd.y, all.y)
      values[start &+ 12] = Self.log(sum.halves.y, all.y)
      values[start &+ 13] = Self.log(sum.others.y, all.y)
      values[start &+ 14] = Self.log(sum.thirds.y, all.y)
      values[start &+ 15] = Self.log(sum.first.y, all.y)
      values[start &+ 16] = Self.log(max(sum.salience, 0), salience)
      values[start &+ 17] = Float(own.correlation - correlation)
      values[start &+ 18] = Float(own.nearCorrelation - near)
      values[start &+ 23] = Self.clarity(own.correlation)
      for k in 0..<4 {
        values[start &+ 19 &+ k] = own.atFractions[k]
        values[start &+ 24 &+ k] = Self.log(sum.between[k], sum.besideBetween[k])
        values[start &+ 28 &+ k] = Self.log(sum.oddOnes[k], sum.besideOdd[k])
      }
    }
  }

  /// The logarithm of harmonics over noise that a correlation implies.
  @_noLocks static func clarity(_ correlation: Double) -> Float {
    -logarithm(Float(1.003 - min(correlation, 1)))
  }

  /// The logarithm of a share, at least `minLog`.
  @_noLocks static func log(_ part: Float, _ whole: Float) -> Float {
    whole > 0 ? min(max(logarithm(part / whole + 1e-20), minLog), -minLog) : minLog
  }

  /// The natural logarithm of a normal positive number, within 2e-6: exponent, and the series of the
  /// area tangent for the rest. A frame needs hundreds, and no more digits.
  @_noLocks private static func logarithm(_ value: Float) -> Float {
    let bits = value.bitPattern
    let exponent = Float(Int32(truncatingIfNeeded: bits >> 23) &- 127)
    let rest = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000)
    let t = (rest - 1) / (rest + 1)
    let square = t * t
    let series = 1 + square * (1 / 3 + square * (0.2 + square * (1 / 7 + square / 9)))
    return 0.693_147_2 * exponent + 2 * t * series
  }
}
