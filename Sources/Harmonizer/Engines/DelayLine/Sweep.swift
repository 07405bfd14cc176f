/// Sweep of the two taps of a delay line: where it ends, how far the sound then jumps, and how the
/// taps cross.
///
/// The leading tap sounds alone from `bottom + crossfade` on; below that the other, `window`
/// behind it, fades in. The sweep may change its shape, but only while the other is silent.
struct Sweep {
  /// Distance of the taps, in samples.
  private(set) var window: Double
  /// Delay at which the leading tap becomes silent.
  private(set) var bottom = 0.0
  /// Delay at which the leading tap becomes the other.
  private(set) var top: Double
  private var perCrossfade: Double

  /// Length of the crossfade of the taps.
  var crossfadeSamples: Double { @_noLocks get { 1 / perCrossfade } }

  private let freeWindow: Double
  private let freeCrossfade: Double
  /// Periods in a window; 0 runs free.
  private let periods: Int
  /// The window to apply next.
  private var wanted: Double
  /// The lowest voice to be followed, in Hz.
  static let floorHz = 60.0

  init(_ law: DelayLineLaw, periods: Int) {
    freeWindow = law.windowSamples
    freeCrossfade = law.crossfadeSamples
    self.periods = periods
    window = freeWindow
    wanted = freeWindow
    top = freeWindow
    perCrossfade = 1 / freeCrossfade
  }

  /// Returns the number of samples that have to be kept.
  func reachSamples(sampleRateHz: Double) -> Int {
    if periods == 0 { return 2 * Int(freeWindow) + 4 }
    return 3 * Int(max(freeWindow, Double(periods) * sampleRateHz / Self.floorHz)) + 4
  }

  @_noLocks mutating func reset() {
    wanted = freeWindow
    window = freeWindow
    bottom = 0
    top = freeWindow
    perCrossfade = 1 / freeCrossfade
  }

  /// The gain of the leading tap; the other has the rest of 1.
  @inline(__always) @_noLocks func lead(_ delay: Double) -> Double {
    min((delay - bottom) * perCrossfade, 1)
  }

  /// - Parameter delay: of the leading tap.
  @_noLocks mutating func aim(periodSamples: Double, _ delay: Double) {
    guard periods > 0 else { return }
    wanted = periodSamples > 0 ? Double(periods) * periodSamples : freeWindow
    if lead(delay) >= 1 { applyWanted(delay) }
  }

  /// The other tap is silent now, and is put where it is wanted.
  @_noLocks private mutating func applyWanted(_ delay: Double) {
    window = wanted
    bottom = 0
    top = window
    perCrossfade = 1 / min(window * (freeCrossfade / freeWindow), delay)
  }

  /// Returns where the leading tap continues when it has left the sweep: where the other one is
  /// heard.
  @_noLocks mutating func spliced(_ delay: Double) -> Double {
    if delay < bottom {
      let delay = delay + window
      if periods > 0 { applyWanted(delay) }
      return delay
    }
    guard periods > 0 else { return delay - window }
    applyWanted(delay)
    // After a leap upwards of the voice several windows may fit in.
    window *= Double(Int(delay / window))
    let near = delay - window
    bottom = near <= 1 ? 0 : near  // from a sweep that ran to its end, it is 0
    top = max(wanted, bottom + 1 / perCrossfade)
    return near
  }
}
