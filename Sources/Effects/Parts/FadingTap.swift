import DSP

/// A place in a delay line that moves to another one by a crossfade, so that neither a click nor a
/// change of pitch is heard.
///
/// Where a move is under way, the next begins after it, to where the tap is wanted then.
struct FadingTap: Sendable {
  private var delay: Int
  private var next: Int
  private var wanted: Int
  private var faded: Float = 0  // of the way from `delay` to `next`
  private let step: Float

  init(_ delay: Int, fadeSamples: Int) {
    (self.delay, next, wanted) = (delay, delay, delay)
    step = 1 / Float(max(fadeSamples, 1))
  }

  @_noLocks mutating func aim(at delay: Int) { wanted = delay }

  /// Ends the movement at once.
  @_noLocks mutating func finish() { (delay, next, faded) = (wanted, wanted, 0) }

  /// The sound of both `lines` at the tap. Call `advance` once a sample.
  @inline(__always) @_noLocks
  func read(_ left: borrowing HistoryBuffer, _ right: borrowing HistoryBuffer) -> SIMD2<Float> {
    let here = SIMD2(left[delay: delay], right[delay: delay])
    guard next != delay else { return here }
    let there = SIMD2(left[delay: next], right[delay: next])
    return here + Self.smooth(faded) * (there - here)
  }

  @inline(__always) @_noLocks mutating func advance() {
    if next != delay {
      faded += step
      if faded >= 1 { (delay, faded) = (next, 0) }
    } else if wanted != delay {
      next = wanted
    }
  }

  /// From 0 to 1 without a kink at either end.
  @inline(__always) @_noLocks static func smooth(_ share: Float) -> Float {
    share * share * (3 - 2 * share)
  }
}
