import DSP

/// A stretch of both channels at eight times their sample rate, where a drive shapes it.
///
/// - Cost: see `Oversampler`. Allocates in `init` only.
struct OversampledWave: ~Copyable {
  /// The samples at eight times the rate.
  var left = RealtimeArray<Float>(count: OversampledWave.longest)
  var right = RealtimeArray<Float>(count: OversampledWave.longest)
  private var leftSampler = Oversampler()
  private var rightSampler = Oversampler()
  private var blocker: DCBlocker
  private let sampleRateHz: Double

  /// The length of the longest stretch at eight times the rate.
  static var longest: Int { @_noLocks get { Oversampler.factor * Oversampler.longestStretch } }

  init(sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    blocker = DCBlocker(sampleRateHz: sampleRateHz)
  }

  /// The tail of what is removed as DC, which is longer than any other of a drive.
  var tailSamples: Int {
    @_noLocks get {
      2 * Oversampler.latencySamples + DCBlocker.tailSamples(sampleRateHz: sampleRateHz)
    }
  }

  @_noLocks mutating func reset() {
    leftSampler.reset()
    rightSampler.reset()
    blocker.reset()
  }

  /// Sets sample `i` of the stretch.
  @inline(__always) @_noLocks mutating func put(_ sound: SIMD2<Float>, at i: Int) {
    left[eightAt: Oversampler.factor &* i] = leftSampler.up(sound.x.flushed)
    right[eightAt: Oversampler.factor &* i] = rightSampler.up(sound.y.flushed)
  }

  /// Sets sample `i` of the stretch and adds `bias` to its eight samples.
  @inline(__always) @_noLocks mutating func put(_ sound: SIMD2<Float>, at i: Int, bias: Float) {
    left[eightAt: Oversampler.factor &* i] = leftSampler.up(sound.x.flushed) + bias
    right[eightAt: Oversampler.factor &* i] = rightSampler.up(sound.y.flushed) + bias
  }

  /// Returns sample `i` at the channels' sample rate.
  ///
  /// - Parameter offset: the value to subtract from its eight samples.
  @inline(__always) @_noLocks mutating func output(at i: Int, offset: Float = 0) -> SIMD2<Float> {
    SIMD2(
      leftSampler.down(left[eightAt: Oversampler.factor &* i] - offset),
      rightSampler.down(right[eightAt: Oversampler.factor &* i] - offset))
  }

  /// Removes DC.
  @inline(__always) @_noLocks mutating func blocked(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    blocker.next(sound)
  }
}

/// An effect that shapes stretches of sound at eight times the sample rate.
public protocol OversampledEffect: Effect, ~Copyable {
  /// Adds sample `i` of a stretch.
  @_noLocks mutating func put(_ sound: SIMD2<Float>, at i: Int)
  /// Shapes the first `count` samples.
  @_noLocks mutating func shape(_ count: Int)
  /// Returns sample `i`, shaped.
  @_noLocks mutating func output(at i: Int) -> SIMD2<Float>
}

extension OversampledEffect where Self: ~Copyable {
  public var latencySamples: Int { @_noLocks get { Oversampler.latencySamples } }

  /// The requirements are `@_noLocks`, which the compiler can't see through a generic type.
  @_semantics("no_performance_analysis")
  public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    var start = 0
    while start < count {
      let end = min(start + Oversampler.longestStretch, count)
      for i in start..<end { put(SIMD2(left[i], right[i]), at: i - start) }
      shape(end - start)
      for i in start..<end {
        let sound = output(at: i - start)
        left[i] = sound.x
        right[i] = sound.y
      }
      start = end
    }
  }
}

/// Removes DC from two channels: a first-order high-pass at 10 Hz.
///
/// - Source: the trapezoidal one-pole of Zavalishin, "The Art of VA Filter Design".
struct DCBlocker {
  private let share: Double
  private var memory = SIMD2<Double>.zero

  init(sampleRateHz: Double) {
    let tangent = RealtimeMath.tangent(.pi * 10 / sampleRateHz)
    share = tangent / (1 + tangent)
  }

  /// The time until DC has decayed by 60 dB: ln 1000 time constants.
  @_noLocks static func tailSamples(sampleRateHz: Double) -> Int {
    Int(6.908 / (2 * .pi * 10) * sampleRateHz) + 1
  }

  @_noLocks mutating func reset() { memory = .zero }

  @inline(__always) @_noLocks mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let step = share * (sound.wide - memory)
    let constant = memory + step
    memory = (constant + step).flushed
    return sound - constant.narrow
  }
}
