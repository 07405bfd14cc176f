/// Turns two channels down in time for their peaks: one pass of a limiter.
///
/// The gain that the largest true peak of the next moments allows is held until the last sample that
/// has a part in the peak has passed, let go exponentially, and rounded off by a triangle: the mean
/// of a mean. It is exactly 1 where no peak comes near.
///
/// A gain that bends within the reach of the interpolator moves the wave between samples a little
/// off the wave times the gain. What that leaves above the ceiling, a second, quicker pass takes.
///
/// - Cost: see `TruePeak`. Allocates in `init` only.
struct PeakGuard: ~Copyable {
  let latencySamples: Int
  private var leftPeak = TruePeak()
  private var rightPeak = TruePeak()
  private var hold: PeakHold
  private var reduction = Ballistics(attackSamples: 0, releaseSamples: 0)  // 1 - gain
  private var firstMean: RunningMean
  private var secondMean: RunningMean
  private var delay: StereoDelay

  /// - Parameter lookAheadSamples: how long the gain takes to come down.
  init(lookAheadSamples: Int) {
    let half = max(lookAheadSamples / 2, 1)
    let triangle = 2 * half - 1
    let reach = 8  // of the interpolators, to both sides
    latencySamples = TruePeak.delaySamples + reach + triangle - 1
    hold = PeakHold(samples: 2 * reach + triangle + 1)
    firstMean = RunningMean(of: half)
    secondMean = RunningMean(of: half)
    delay = StereoDelay(samples: latencySamples)
  }

  @_noLocks mutating func setRelease(samples: Double) {
    reduction.setTimes(attackSamples: 0, releaseSamples: samples)
  }

  @_noLocks mutating func reset() {
    leftPeak.reset()
    rightPeak.reset()
    hold.reset()
    reduction.reset()
    firstMean.reset()
    secondMean.reset()
    delay.reset()
  }

  /// A sample of each channel, in place.
  @inline(__always) @_noLocks mutating func pass(
    _ left: inout Float, _ right: inout Float, ceiling: Float
  ) {
    let (l, r) = (leftPeak.take(left), rightPeak.take(right))
    let peak = hold.take(l > r ? l : r)
    let allowed = peak > ceiling ? max(ceiling / peak, 1e-6) : 1
    let gain = Float(1 - reduction.follow(1 - Double(allowed)))
    let smooth = secondMean.take(firstMean.take(gain))
    delay.pass(left, right, &left, &right)
    left *= smooth
    right *= smooth
  }
}
