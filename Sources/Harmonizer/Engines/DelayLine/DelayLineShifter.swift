import DSP
import Foundation

/// Transposes a voice by sweeping two crossfaded taps along a delay line.
///
/// Light and quick to respond; but it trembles at the sweep rate `|1 - ratio| / window`, a steady
/// tone can only come out on a line of that spacing, and the formants move with the pitch. A shift that
/// returns to 0 leaves one tap alone, at the delay where it happens to be. The laws are in
/// `DelayLineLaw`. Given the period of the voice (`follow`), it can jump by whole periods
/// only, so that neither tremble nor lines are left.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples, nominally ±1. An input sample that is not finite counts as 0.
/// - Source: `transpose` in the Faust libraries (misceffects.lib); AudioKit's and Soundpipe's
///   pitch shifters are the same recurrence.
public struct DelayLineShifter: BlockProcessor, ~Copyable {
  /// Settings; every report has a copy.
  public struct Settings: ParameterizedSettings {
    public var windowMs = 23.2
    public var crossfadeMs = 11.6
    public var spliceToPeriods = 0

    public static let parameters: [Parameter<Settings>] = [
      .init("windowMs", \.windowMs, in: 2...500, "length of one sweep; longer suits lower voices"),
      .init(
        "crossfadeMs", \.crossfadeMs, in: 0.1...500,
        "overlap of the two taps, at most the window; longer trades clicks for tremolo"),
      .init(
        "spliceToPeriods", \.spliceToPeriods, in: 0...4,
        "length of the sweep while a voice sounds, in its periods; 0 leaves it as it is"),
    ]

    public init() {}

    public func validate() throws(SettingsError) {
      try require("windowMs", windowMs, in: 2...500)
      try require("crossfadeMs", crossfadeMs, in: 0.1...windowMs)
      try validateParameters()
    }
  }

  /// Mean delay of the sweep as set. While it follows a voice the mean depends on the note:
  /// `DelayLineLaw`.
  public let latencySamples: Int
  private let initialShift: Double  // semitones
  private var step: Double  // change of `delay` per sample
  private var past: HistoryBuffer
  private var delay: Double  // of the leading tap, samples
  private var sweep: Sweep
  /// 1 where the sweep stands still, and only `stillTap` sounds.
  private var stillness: Ramp
  /// The gain of the leading tap where the sweep stands still: 1 or 0.
  private var stillTap: Float = 1
  /// Interval above the input; negative is below.
  public private(set) var shiftSemitones: Double

  /// - Parameter shiftSemitones: positive is up.
  public init(
    shiftSemitones: Double, _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    try require("shiftSemitones", shiftSemitones, in: Engine.shiftRange)
    let law = DelayLineLaw(
      shiftSemitones: shiftSemitones, settings: settings, sampleRateHz: sampleRateHz)
    sweep = Sweep(law, periods: settings.spliceToPeriods)
    step = 1 - law.ratio
    stillness = Ramp(step == 0 ? 1 : 0)
    initialShift = shiftSemitones
    self.shiftSemitones = shiftSemitones
    latencySamples = Int(law.meanDelaySamples.rounded())
    // Starting in the middle, a shift of nothing is a plain delay.
    delay = min(Double(latencySamples), sweep.window.nextDown)
    past = HistoryBuffer(longest: sweep.reachSamples(sampleRateHz: sampleRateHz))
  }

  /// Present delay of the louder tap, in samples.
  public var soundingDelaySamples: Double {
    @_noLocks get { lead(sweep, delay) < 0.5 ? delay + sweep.window : delay }
  }

  /// Sweeps at another rate from the next sample on, until `reset`.
  ///
  /// Without a click: the taps go on from where they are. A shift beyond `Engine.shiftRange` is cut to
  /// it; one that is not a number changes nothing.
  @_noLocks public mutating func setShift(semitones: Double) {
    guard semitones == semitones, semitones != shiftSemitones else { return }
    shiftSemitones = Engine.cut(semitones)
    step = 1 - frequencyRatio(ofSemitones: shiftSemitones)
    stand(isStill: step == 0)
  }

  /// Lets one tap sound alone, the louder, or both again. Both are back before the fastest sweep has crossed
  /// half of a crossfade, where it would leave a tap that still sounds.
  @_noLocks private mutating func stand(isStill: Bool) {
    if isStill, stillness.value == 0 { stillTap = sweep.lead(delay) < 0.5 ? 0 : 1 }
    let crossfade = sweep.crossfadeSamples
    let most = frequencyRatio(ofSemitones: Engine.cut(.greatestFiniteMagnitude)) - 1
    stillness.aim(
      at: isStill ? 1 : 0, overSamples: Int(isStill ? crossfade : 0.5 * crossfade / most))
  }

  /// The gain of the leading tap.
  @inline(__always) @_noLocks private func lead(_ sweep: Sweep, _ delay: Double) -> Float {
    let swept = Float(sweep.lead(delay))
    return swept + stillness.value * (stillTap - swept)
  }

  /// Sets the period of the voice from now on, for `spliceToPeriods`; 0 is no voice.
  ///
  /// It counts from the next moment on when one tap alone sounds, so there is no click.
  @_noLocks public mutating func follow(periodSamples: Double) {
    sweep.aim(periodSamples: periodSamples, delay)
  }

  /// Forgets the past, and any shift but the first.
  @_noLocks public mutating func reset() {
    shiftSemitones = initialShift
    step = 1 - frequencyRatio(ofSemitones: initialShift)
    (stillness, stillTap) = (Ramp(step == 0 ? 1 : 0), 1)
    past.reset()
    sweep.reset()
    delay = min(Double(latencySamples), sweep.window.nextDown)
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
    let step = step
    var (delay, sweep) = (delay, sweep)
    for i in 0..<count {
      past.push(input[start + i].soundOrZero)
      _ = stillness.next()
      let lead = lead(sweep, delay)
      let near = past.interpolated(delay: delay)
      let far = past.interpolated(delay: delay + sweep.window)
      output[place + i] = lead * near + (1 - lead) * far
      delay += step
      if delay < sweep.bottom || delay >= sweep.top {
        delay = sweep.spliced(delay)
        stillTap = 1 - stillTap
      }
    }
    (self.delay, self.sweep) = (delay, sweep)
  }
}
