import DSP

/// A grain on its way out, which may be corrected while it sounds.
///
/// It begins before all of its marks are known. When they are, it fades to the grain that it should have
/// been. Most of what was wrong came from predicted marks (docs/notes/psola.md).
struct PlacedGrain: BitwiseCopyable {
  private(set) var grain: Grain
  private(set) var source: MarkMix
  private var earlier: Grain
  private var fade = Fade.over

  /// Length of a correction, in periods. With .05 and .2 as many frames are wrong and lost.
  private static var fadePeriods: Double { @_noLocks get { 0.1 } }
  /// Correction in samples that can't be heard.
  private static var least: Double { @_noLocks get { 0.5 } }
  /// Correction in periods that belongs to another voice.
  private static var most: Double { @_noLocks get { 0.25 } }

  @_noLocks init(_ grain: Grain, _ source: MarkMix) {
    (self.grain, self.source, earlier) = (grain, source, grain)
  }

  static var none: PlacedGrain {
    @_noLocks get {
      PlacedGrain(Grain(middle: 0, source: .none, halfWidth: 1, speed: 1, gain: 0, mean: 0), .none)
    }
  }

  /// True while the louder half of it is still to come.
  @_noLocks func isCorrectable(at time: Double) -> Bool {
    grain.middle > time + 0.5 * Self.fadePeriods * source.period
  }

  /// Fades to the same grain cut at other places, with its middle at another time.
  @_noLocks mutating func correct(at time: Double, to source: MarkMix, middle: Double) {
    let moved = max(
      (middle - grain.middle).magnitude, (source.first.time - self.source.first.time).magnitude)
    guard moved > Self.least, moved < Self.most * source.period, time >= fade.end else { return }
    let width = Self.fadePeriods * source.period
    fade = Fade(end: time + width, width: width)
    earlier = grain
    self.source = source
    grain = Grain(
      middle: middle, source: source, halfWidth: grain.halfWidth, speed: grain.speed,
      gain: grain.gain, mean: grain.mean)
  }

  /// Returns its eight samples from `time` on.
  @inline(__always) @_noLocks
  func eight(at time: Int, from past: borrowing HistoryBuffer) -> SIMD8<Float> {
    Double(time) < fade.end ? fading(at: time, from: past) : grain.eight(at: time, from: past)
  }

  @inline(__always) @_noLocks
  private func fading(at time: Int, from past: borrowing HistoryBuffer) -> SIMD8<Float> {
    let sound = grain.eight(at: time, from: past)
    let before = earlier.eight(at: time, from: past)
    return before + fade.eight(at: time) * (sound - before)
  }
}

/// Rise of half a Hann window, from 0 to 1.
struct Fade: BitwiseCopyable {
  var end: Double
  var width: Double

  /// A fade that ended long ago.
  static var over: Fade { @_noLocks get { Fade(end: -1, width: 1) } }

  @_noLocks init(end: Double, width: Double) {
    self.end = end
    self.width = width
  }

  @inline(__always) @_noLocks func eight(at time: Int) -> SIMD8<Float> {
    Hann.rise(from: Float(Double(time) - end), perWidth: Float(1 / width))
  }
}
