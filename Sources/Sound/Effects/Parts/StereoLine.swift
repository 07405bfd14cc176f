import DSP

/// The latest samples of two channels, read by their delay.
///
/// - Allocates: in `init` only.
struct StereoLine: ~Copyable {
  private(set) var left: HistoryBuffer
  private(set) var right: HistoryBuffer

  init(longest: Int) {
    left = HistoryBuffer(longest: longest)
    right = HistoryBuffer(longest: longest)
  }

  @_noLocks mutating func reset() {
    left.reset()
    right.reset()
  }

  /// Appends a sample of each channel, which then has the delay 0.
  @inline(__always) @_noLocks mutating func push(_ sound: SIMD2<Float>) {
    left.push(sound.x)
    right.push(sound.y)
  }

  /// The samples `delay` samples ago.
  @inline(__always) subscript(delay delay: Int) -> SIMD2<Float> {
    @_noLocks get { SIMD2(left[delay: delay], right[delay: delay]) }
  }
}

/// Delays two channels by a fixed number of samples, bit for bit.
///
/// - Allocates: in `init` only.
struct StereoDelay: ~Copyable {
  let samples: Int
  private var line: StereoLine

  init(samples: Int) {
    self.samples = samples
    line = StereoLine(longest: samples)
  }

  @_noLocks mutating func reset() { line.reset() }

  /// Returns the sound `samples` ago.
  @inline(__always) @_noLocks mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    line.push(sound)
    return line[delay: samples]
  }
}
