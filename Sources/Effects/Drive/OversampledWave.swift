import DSP

/// A stretch of one channel at eight times its rate: where a drive bends it.
///
/// - Cost: see `Oversampler`. Allocates in `init` only.
struct OversampledWave: ~Copyable {
  /// The samples at eight times the rate.
  var samples = RealtimeArray<Float>(count: OversampledWave.longest)
  private var oversampler = Oversampler()
  private var blocker: DCBlocker

  /// Number of samples of the longest stretch.
  static var longest: Int { @_noLocks get { Oversampler.factor * Oversampler.longestStretch } }

  init(sampleRateHz: Double) { blocker = DCBlocker(sampleRateHz: sampleRateHz) }

  @_noLocks mutating func reset() {
    oversampler.reset()
    blocker.reset()
  }

  /// Takes sample `i` of the stretch.
  @inline(__always) @_noLocks mutating func put(_ sample: Float, _ i: Int) {
    samples[eightAt: Oversampler.factor &* i] = oversampler.up(sample.flushed)
  }

  /// Takes sample `i` of the stretch, and raises its eight by `bias`.
  @inline(__always) @_noLocks mutating func put(_ sample: Float, _ i: Int, bias: Float) {
    samples[eightAt: Oversampler.factor &* i] = oversampler.up(sample.flushed) + bias
  }

  /// Returns sample `i` at the rate of the channel.
  ///
  /// - Parameter offset: what is taken from its eight.
  @inline(__always) @_noLocks mutating func lowered(_ i: Int, offset: Float = 0) -> Float {
    oversampler.down(samples[eightAt: Oversampler.factor &* i] - offset)
  }

  /// Takes the direct current away.
  @inline(__always) @_noLocks mutating func blocked(_ sample: Float) -> Float {
    blocker.pass(sample)
  }
}
