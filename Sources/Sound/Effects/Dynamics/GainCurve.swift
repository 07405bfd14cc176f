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
