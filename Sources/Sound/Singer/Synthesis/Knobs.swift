/// The control values of the larynx, which change from sample to sample.
struct Knobs {
  var writtenHz: Double
  var lineHz: Double
  var sourceGain: Double
  var aspirationGain: Double
  var aspirationPulse: Double
  var jitter: Double
  var shimmer: Double

  init(_ controls: Controls) {
    writtenHz = controls.writtenHz
    lineHz = controls.lineHz
    sourceGain = controls.sourceGain
    aspirationGain = controls.aspirationGain
    aspirationPulse = controls.aspirationPulse
    jitter = controls.jitter
    shimmer = controls.shimmer
  }

  /// Returns the increment per sample that reaches `end` after `count` samples.
  static func step(from start: Controls, to end: Controls, over count: Int) -> Knobs {
    let share = 1 / Double(count)
    var step = Knobs(end)
    let from = Knobs(start)
    step.writtenHz = (step.writtenHz - from.writtenHz) * share
    step.lineHz = (step.lineHz - from.lineHz) * share
    step.sourceGain = (step.sourceGain - from.sourceGain) * share
    step.aspirationGain = (step.aspirationGain - from.aspirationGain) * share
    step.aspirationPulse = (step.aspirationPulse - from.aspirationPulse) * share
    step.jitter = (step.jitter - from.jitter) * share
    step.shimmer = (step.shimmer - from.shimmer) * share
    return step
  }

  @inline(__always) static func += (knobs: inout Knobs, step: Knobs) {
    knobs.writtenHz += step.writtenHz
    knobs.lineHz += step.lineHz
    knobs.sourceGain += step.sourceGain
    knobs.aspirationGain += step.aspirationGain
    knobs.aspirationPulse += step.aspirationPulse
    knobs.jitter += step.jitter
    knobs.shimmer += step.shimmer
  }
}
