import DSP

/// A tap of a delay line that moves by a crossfade, without clicks or changes of pitch.
///
/// A new target during a crossfade starts another one after it.
struct FadingTap: Sendable {
  private var delay: Int
  private var next: Int
  private var wanted: Int
  private var faded: Float = 0  // progress from `delay` to `next`
  private let step: Float

  init(_ delay: Int, fadeSamples: Int) {
    (self.delay, next, wanted) = (delay, delay, delay)
    step = 1 / Float(max(fadeSamples, 1))
  }

  @_noLocks mutating func aim(at delay: Int) { wanted = delay }

  /// Ends the movement immediately.
  @_noLocks mutating func finish() { (delay, next, faded) = (wanted, wanted, 0) }

  /// The sound of the line at the tap. Call `advance` once a sample.
  @inline(__always) @_noLocks
  func read(_ line: borrowing StereoLine) -> SIMD2<Float> {
    let here = line[delay: delay]
    guard next != delay else { return here }
    return here + Self.smooth(faded) * (line[delay: next] - here)
  }

  @inline(__always) @_noLocks mutating func advance() {
    if next != delay {
      faded += step
      if faded >= 1 { (delay, faded) = (next, 0) }
    } else if wanted != delay {
      next = wanted
    }
  }

  /// The smooth step from 0 to 1, with slope 0 at either end.
  @inline(__always) @_noLocks static func smooth(_ share: Float) -> Float {
    share * share * (3 - 2 * share)
  }
}
