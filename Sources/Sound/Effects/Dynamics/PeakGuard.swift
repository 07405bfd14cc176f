/// One pass of a limiter for two channels, which reduces the gain ahead of peaks.
///
/// The gain allowed by the largest true peak within the look-ahead is held until the peak's last
/// sample has passed, then released exponentially. A triangular filter, two running means, smooths
/// it. It is exactly 1 away from peaks.
///
/// A gain that changes within the interpolator's length makes the waveform between samples differ
/// slightly from the interpolated one times the gain. A second, shorter pass removes what that
/// leaves above the ceiling.
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

  /// - Parameter lookAheadSamples: the time in which the gain falls.
  init(lookAheadSamples: Int) {
    let half = max(lookAheadSamples / 2, 1)
    let triangle = 2 * half - 1
    let reach = 8  // half the length of the interpolators
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

  /// Processes a sample of each channel.
  @inline(__always) @_noLocks mutating func next(
    _ sound: SIMD2<Float>, ceiling: Float
  ) -> SIMD2<Float> {
    let peak = hold.next(SIMD2(leftPeak.next(sound.x), rightPeak.next(sound.y)).peak)
    let allowed = peak > ceiling ? max(ceiling / peak, 1e-6) : 1
    let gain = Float(1 - reduction.follow(1 - Double(allowed)))
    let smooth = secondMean.next(firstMean.next(gain))
    return smooth * delay.next(sound)
  }
}
