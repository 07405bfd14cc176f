import DSP

/// Two periods of a voice under a Hann window, placed at another time: the sound around a mark, or a mix of
/// that around two.
struct Grain: BitwiseCopyable {
  /// Time of its middle in the output, in samples.
  let middle: Double
  /// Half its length in the output.
  let halfWidth: Double
  /// Speed of reading against singing; moves the formants.
  let speed: Double
  let gain: Float
  /// Constant taken off its sound, so that the windowed sound has no mean.
  let mean: Float
  private let perWidth: Float
  private let first: Source
  private let second: Source
  private let share: Float  // of the second

  /// A place in the sound that the middle is read from.
  private struct Source: BitwiseCopyable {
    let delay: Double
    private let whole: Int  // samples from an instant to the one before the place read
    private let weights: SIMD8<Float>

    @_noLocks init(delay: Double) {
      self.delay = delay
      whole = floorOf(-delay)
      weights = Lagrange.weights(-delay - Double(whole))
    }

    @inline(__always) @_noLocks
    func eight(at time: Int, from past: borrowing HistoryBuffer) -> SIMD8<Float> {
      past.eight(at: time &+ whole, weights)
    }
  }

  @_noLocks init(
    middle: Double, source: MarkMix, halfWidth: Double, speed: Double, gain: Float, mean: Float
  ) {
    self.middle = middle
    self.halfWidth = halfWidth
    perWidth = Float(1 / halfWidth)
    self.speed = speed
    self.gain = gain
    self.mean = mean
    first = Source(delay: middle - source.first.time)
    second = Source(delay: middle - source.secondTime)
    share = Float(source.share)
  }

  var end: Double { @_noLocks get { middle + halfWidth } }

  /// Delay of its middle.
  var delay: Double {
    @_noLocks get { first.delay + Double(share) * (second.delay - first.delay) }
  }

  /// Returns its eight samples from `time` on.
  @inline(__always) @_noLocks
  func eight(at time: Int, from past: borrowing HistoryBuffer) -> SIMD8<Float> {
    var sound = sound(of: first, at: time, past)
    if share > 0 { sound += share * (self.sound(of: second, at: time, past) - sound) }
    // After the choice: a window that is kept across it is taken apart into lanes by the compiler.
    let from = Float(Double(time) - middle)
    return gain * Hann.eight(from: from, perWidth: perWidth) * (sound - mean)
  }

  /// Returns the mean of the sound under the window of a grain; sound still to come is that of a period
  /// before.
  ///
  /// - Parameter halfWidth: in the input.
  @_noLocks static func mean(
    of past: borrowing HistoryBuffer, around source: Double, halfWidth: Double, period: Double
  ) -> Float {
    let end = source + halfWidth
    let period = nearestOf(period)
    let perWidth = Float(1 / halfWidth)
    var time = floorOf(source - halfWidth) &+ 1
    var sum = SIMD8<Float>.zero
    while Double(time) < end {
      let known = time &+ 8 <= past.count ? time : time &- period
      let from = Float(Double(time) - source)
      sum += Hann.eight(from: from, perWidth: perWidth) * past[eightAt: known]
      time &+= 8
    }
    return sum.sum() * perWidth  // the sum of the window is half its length
  }

  @inline(__always) @_noLocks
  private func sound(
    of source: Source, at time: Int, _ past: borrowing HistoryBuffer
  ) -> SIMD8<Float> {
    speed == 1 ? source.eight(at: time, from: past) : stretched(source.delay, time, past)
  }

  @inline(__always) @_noLocks
  private func stretched(
    _ delay: Double, _ time: Int, _ past: borrowing HistoryBuffer
  ) -> SIMD8<Float> {
    var sound = SIMD8<Float>.zero
    for lane in 0..<8 {
      let place = middle - delay + (Double(time &+ lane) - middle) * speed
      let before = floorOf(place)
      let weights = Lagrange.weights(place - Double(before))
      sound[lane] = (weights * past[eightAt: before &- 2]).sum()
    }
    return sound
  }
}

/// A raised cosine, by a polynomial within 2e-7 of it; exactly 1 in the middle and 0 at the ends.
enum Hann {
  /// Returns the window at eight instants in a row, the first `from` samples after the middle.
  @inline(__always) @_noLocks
  static func eight(from: Float, perWidth: Float) -> SIMD8<Float> {
    let x = (SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) + from) * perWidth
    let square = (x * x).replacing(with: 1, where: x * x .> 1)
    return value(square)
  }

  /// Rising from 0 to 1 over `width` samples up to `end`, 1 after it.
  @inline(__always) @_noLocks
  static func rise(from: Float, perWidth: Float) -> SIMD8<Float> {
    let x = (SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) + from) * perWidth
    let before = x.replacing(with: 0, where: x .> 0)
    let square = before * before
    return value(square.replacing(with: 1, where: square .> 1))
  }

  /// Returns the window's spectrum, 1 at 0, `bin` bins of a transform as long as the window from there.
  @_noLocks static func spectrum(atBin bin: Double) -> Double {
    if bin.magnitude < 1e-6 { return 1 }
    if (bin.magnitude - 1).magnitude < 1e-6 { return 0.5 }
    return RealtimeMath.sine(.pi * bin) / (.pi * bin) / (1 - bin * bin)
  }

  /// Returns the window for the square of the distance from the middle, in half widths.
  @inline(__always) @_noLocks
  private static func value(_ square: SIMD8<Float>) -> SIMD8<Float> {
    var p = SIMD8<Float>(repeating: 2.382346e-5)
    p = p * square - 8.939091e-4
    p = p * square + 0.01996877
    p = p * square - 0.2337005
    p = p * square + 1
    let cosine = (1 - square) * p
    return cosine * cosine
  }
}
