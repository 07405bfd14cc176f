import DSP

/// Computes a gain reduction in dB from the level, sample by sample.
///
/// The level is held and passes a static curve in dB; the resulting reduction is smoothed in dB.
///
/// - Cost: a logarithm when the held level changes. Allocates in `init` only.
/// - Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design – a tutorial
///   and analysis", J. Audio Eng. Soc. 60(6), 2012: log-domain level detection, smooth branching.
struct GainReducer: ~Copyable {
  private var threshold = Ramp(0)
  private var slope = Ramp(0)
  private var knee = Ramp(0)
  private var hold: PeakHold
  private var held: Float = 0
  private var heldDb = Decibels.level(0)
  private var reduction = Ballistics(attackSamples: 0, releaseSamples: 0)  // dB, 0 or more
  private let samplesPerMs: Double

  /// - Parameter holdMs: half a period of the lowest tone whose level must not ripple.
  init(holdMs: Double, sampleRateHz: Double) {
    hold = PeakHold(samples: Int(holdMs / 1000 * sampleRateHz))
    samplesPerMs = sampleRateHz / 1000
  }

  @_noLocks mutating func reset() {
    threshold.finish()
    slope.finish()
    knee.finish()
    hold.reset()
    (held, heldDb) = (0, Decibels.level(0))
    reduction.reset()
  }

  @_noLocks mutating func aim(
    thresholdDb: Double, ratio: Double, kneeDb: Double, overSamples count: Int
  ) {
    threshold.aim(at: Float(thresholdDb), overSamples: count)
    slope.aim(at: Float(1 - 1 / ratio), overSamples: count)
    knee.aim(at: Float(kneeDb), overSamples: count)
  }

  /// Sets the times to 63 % of a step. The release includes the hold.
  @_noLocks mutating func setTimes(attackMs: Double, releaseMs: Double) {
    reduction.setTimes(
      attackSamples: attackMs * samplesPerMs,
      releaseSamples: releaseMs * samplesPerMs - Double(hold.samples))
  }

  /// Returns the reduction for the next sample.
  ///
  /// - Parameters:
  ///   - size: the magnitude of the sample.
  ///   - maxDb: the limit of the reduction.
  @inline(__always) @_noLocks mutating func next(
    _ size: Float, maxDb: Double = .infinity
  ) -> Double {
    let peak = hold.next(size)
    if peak != held { (held, heldDb) = (peak, Decibels.level(peak)) }
    let curve = GainCurve(
      thresholdDb: Double(threshold.next()), slope: Double(slope.next()),
      kneeDb: Double(knee.next()))
    let wanted = curve.reductionDb(atDb: heldDb)
    return reduction.follow(wanted < maxDb ? wanted : maxDb)
  }
}

/// The gain reduction of a compressor at a level: none below the knee, a share of 1 - 1/ratio of
/// the excess above it, and a parabola in between.
///
/// - Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design – a tutorial
///   and analysis", J. Audio Eng. Soc. 60(6), 2012, equation 4.
struct GainCurve {
  var thresholdDb: Double
  /// The reduction per dB of excess: 1 - 1/ratio.
  var slope: Double
  /// The width of the knee in dB, centred on the threshold.
  var kneeDb: Double

  @_noLocks init(thresholdDb: Double, slope: Double, kneeDb: Double) {
    (self.thresholdDb, self.slope, self.kneeDb) = (thresholdDb, slope, kneeDb)
  }

  @inline(__always) @_noLocks func reductionDb(atDb level: Double) -> Double {
    let excess = level - thresholdDb
    if 2 * excess <= -kneeDb { return 0 }
    if 2 * excess >= kneeDb { return slope * excess }
    let intoKnee = excess + kneeDb / 2
    return slope * intoKnee * intoKnee / (2 * kneeDb)
  }
}
