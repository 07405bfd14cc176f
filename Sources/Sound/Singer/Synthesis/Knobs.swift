/// The control values of the larynx, which change from sample to sample, in the lanes of a vector.
struct Knobs {
  private var values: SIMD8<Double>

  init(_ controls: Controls) {
    values = SIMD8(
      controls.writtenHz, controls.lineHz, controls.sourceGain, controls.aspirationGain,
      controls.aspirationPulse, controls.jitter, controls.shimmer, 0)
  }

  var writtenHz: Double { values[0] }
  var lineHz: Double { values[1] }
  var sourceGain: Double { values[2] }
  var aspirationGain: Double { values[3] }
  var aspirationPulse: Double { values[4] }
  var jitter: Double { values[5] }
  var shimmer: Double { values[6] }

  /// Returns the increment per sample that reaches `end` after `count` samples.
  func step(to end: Knobs, over count: Int) -> SIMD8<Double> {
    (end.values - values) * (1 / Double(count))
  }

  @inline(__always) static func += (knobs: inout Knobs, step: SIMD8<Double>) {
    knobs.values += step
  }
}
