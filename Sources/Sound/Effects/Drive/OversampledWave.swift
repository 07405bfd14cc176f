import DSP

/// A stretch of one channel at eight times its sample rate, where a drive shapes it.
///
/// - Cost: see `Oversampler`. Allocates in `init` only.
struct OversampledWave: ~Copyable {
  /// The samples at eight times the rate.
  var samples = RealtimeArray<Float>(count: OversampledWave.longest)
  private var oversampler = Oversampler()
  private var blocker: DCBlocker

  /// The length of the longest stretch.
  static var longest: Int { @_noLocks get { Oversampler.factor * Oversampler.longestStretch } }

  init(sampleRateHz: Double) { blocker = DCBlocker(sampleRateHz: sampleRateHz) }

  @_noLocks mutating func reset() {
    oversampler.reset()
    blocker.reset()
  }

  /// Sets sample `i` of the stretch.
  @inline(__always) @_noLocks mutating func put(_ sample: Float, _ i: Int) {
    samples[eightAt: Oversampler.factor &* i] = oversampler.up(sample.flushed)
  }

  /// Sets sample `i` of the stretch and adds `bias` to its eight samples.
  @inline(__always) @_noLocks mutating func put(_ sample: Float, _ i: Int, bias: Float) {
    samples[eightAt: Oversampler.factor &* i] = oversampler.up(sample.flushed) + bias
  }

  /// Returns sample `i` at the channel's sample rate.
  ///
  /// - Parameter offset: the value to subtract from its eight samples.
  @inline(__always) @_noLocks mutating func lowered(_ i: Int, offset: Float = 0) -> Float {
    oversampler.down(samples[eightAt: Oversampler.factor &* i] - offset)
  }

  /// Removes DC.
  @inline(__always) @_noLocks mutating func blocked(_ sample: Float) -> Float {
    blocker.pass(sample)
  }
}
