import DSP
import Foundation

/// Transposes a voice by sweeping two crossfaded taps along a delay line.
///
/// Light and quick to respond; but it trembles at the sweep rate `|1 - ratio| / window`, a steady
/// tone can only come out on a line of that spacing, and the formants move with the pitch. The
/// laws are in `DelayLineLaw`.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples, nominally ±1. An input sample that is not finite counts as 0.
/// - Source: `transpose` in the Faust libraries (misceffects.lib); AudioKit's and Soundpipe's
///   pitch shifters are the same recurrence.
public struct DelayLineShifter: BlockProcessor, ~Copyable {
  /// What a listener can choose; copied unchanged into every report.
  public struct Settings: Codable, Equatable, Sendable {
    /// Length of one sweep; longer suits lower voices.
    public var windowMs: Double
    /// Overlap of the two taps, at most the window; longer trades clicks for tremolo.
    public var crossfadeMs: Double

    public init(windowMs: Double = 23.2, crossfadeMs: Double = 11.6) {
      self.windowMs = windowMs
      self.crossfadeMs = crossfadeMs
    }

    public func validate() throws(SettingsError) {
      try require("windowMs", windowMs, in: 2...500)
      try require("crossfadeMs", crossfadeMs, in: 0.1...windowMs)
    }
  }

  public let latencySamples: Int
  private let window: Double  // samples
  private let crossfade: Double  // samples
  private let initialShift: Double  // semitones
  private var step: Double  // change of `delay` per sample
  private let mask: Int  // the length of `past`, a power of two, less 1
  private var past: FloatBuffer  // ring
  private var now = 0  // index of the newest sample in `past`
  private var delay: Double  // of the leading tap, samples, 0..<window
  /// Above the input; negative is below.
  public private(set) var shiftSemitones: Double

  /// - Parameter shiftSemitones: positive is up.
  public init(
    shiftSemitones: Double, _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    try require("shiftSemitones", shiftSemitones, in: Engine.shiftRange)
    let law = DelayLineLaw(
      shiftSemitones: shiftSemitones, settings: settings, sampleRateHz: sampleRateHz)
    window = law.windowSamples
    crossfade = law.crossfadeSamples
    step = 1 - law.ratio
    initialShift = shiftSemitones
    self.shiftSemitones = shiftSemitones
    latencySamples = Int(law.meanDelaySamples.rounded())
    // Starting in the middle, a shift of nothing is a plain delay.
    delay = min(Double(latencySamples), window.nextDown)
    let longest = 2 * Int(window) + 4
    let length = 1 << (Int.bitWidth - longest.leadingZeroBitCount)
    mask = length - 1
    past = FloatBuffer(count: length)
  }

  /// Where the leading tap reads now, in samples behind the input.
  public var delaySamples: Double { @_noLocks get { delay } }

  /// How long ago the sound that leaves now came in, going by the louder tap.
  public var soundingDelaySamples: Double {
    @_noLocks get { delay < crossfade / 2 ? delay + window : delay }
  }

  /// Sweeps at another rate from the next sample on, until `reset`.
  ///
  /// Without a click: the taps go on from where they are. A shift beyond `Engine.shiftRange` is cut to
  /// it; one that is not a number changes nothing.
  @_noLocks public mutating func setShift(semitones: Double) {
    guard semitones == semitones, semitones != shiftSemitones else { return }
    shiftSemitones = Engine.cut(semitones)
    step = 1 - pitchRatio(ofSemitones: shiftSemitones)
  }

  /// Forgets the past, and any shift but the first.
  @_noLocks public mutating func reset() {
    shiftSemitones = initialShift
    step = 1 - pitchRatio(ofSemitones: initialShift)
    past.clear()
    now = 0
    delay = min(Double(latencySamples), window.nextDown)
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    let (count, room) = (input.count, output.count)
    precondition(count == room, "counts differ")
    process(input, 0..<count, into: &output, at: 0)
  }

  /// Processes the samples `range` of `input` into `output` from `place` on.
  @_noLocks mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into output: inout MutableSpan<Float>, at place: Int
  ) {
    let (start, count) = (range.lowerBound, range.count)
    let (window, mask, step) = (self.window, self.mask, self.step)
    let perCrossfade = 1 / crossfade
    var (now, delay) = (self.now, self.delay)
    var past = past.mutableSpan
    for i in 0..<count {
      let sample = input[start + i]
      now = (now &+ 1) & mask
      past[now] = sample.isFinite ? sample : 0
      let lead = Float(min(delay * perCrossfade, 1))
      let near = tap(past, now, mask, delay)
      let far = tap(past, now, mask, delay + window)
      output[place + i] = lead * near + (1 - lead) * far
      delay += step
      if delay < 0 { delay += window } else if delay >= window { delay -= window }
    }
    self.now = now
    self.delay = delay
  }
}

/// The C library's, which neither locks nor allocates.
@_semantics("no_performance_analysis")
private func pitchRatio(ofSemitones shift: Double) -> Double {
  exp2(shift / 12)
}

/// The sample of `delay` samples ago in a ring, linearly interpolated.
@inline(__always) @_noLocks private func tap(
  _ past: borrowing MutableSpan<Float>, _ now: Int, _ mask: Int, _ delay: Double
) -> Float {
  let whole = Int(delay)
  let fraction = Float(delay - Double(whole))
  let newer = past[(now &- whole) & mask]
  let older = past[(now &- whole &- 1) & mask]
  return newer + fraction * (older - newer)
}
