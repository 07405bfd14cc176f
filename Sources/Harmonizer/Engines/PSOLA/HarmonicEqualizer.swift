import DSP
import Foundation

/// Brings the lower harmonics of a transposed voice to the envelope of the voice as sung.
///
/// A grain of a high voice holds the envelope at its few harmonics only. Between two
/// harmonics it sums both with their phases, which gives too little where they cancel. A narrow
/// filter on each harmonic of the copy, tuned with its pitch, therefore raises it by up to 12 dB or
/// lowers it by up to 6 dB. The filters run at a quarter of the rate. Their phases are turned ahead by
/// their own delay, so the sound itself is not delayed. Bit-transparent while
/// all gains are 0 dB.
///
/// - Allocates: in `init` only. Costs some 0.00025 of real time at 48 kHz while it works.
struct HarmonicEqualizer: ~Copyable {
  /// Voices below are left alone: their harmonics are dense enough.
  static var lowestHz: Double { @_noLocks get { 130 } }
  /// Bandwidth of the filter of a harmonic, in distances between harmonics.
  private static var bandwidth: Double { @_noLocks get { 0.25 } }
  /// Largest changes as log2 of amplitude: 12 dB up; 6 dB down, because the breath between harmonics
  /// stays as loud as it was.
  private static var maxBoost: Float { @_noLocks get { 2 } }
  private static var maxCut: Float { @_noLocks get { 1 } }
  /// Share of the way to new gains that one reading goes.
  private static var pace: Float { @_noLocks get { 0.5 } }

  /// Four filters, of harmonics in a row: a circling point each, which the sound pushes. Real parts
  /// are in the low half, imaginary ones in the high, so that both take the same steps at once.
  struct Filters: BitwiseCopyable {
    var points = SIMD8<Float>.zero
    // The factors of the points from push to push: by themselves, and by their other halves.
    var turnAlong = SIMD8<Float>.zero
    var turnAcross = SIMD8<Float>.zero
    // How points are applied to the output: turned ahead, and levelled as the quarter rate is not.
    var applied = SIMD8<Float>.zero
    var gain = SIMD4<Float>.zero
    var wanted = SIMD4<Float>.zero
    var ramp = SIMD4<Float>.zero  // a step
  }

  private static var groupCount: Int { @_noLocks get { 6 } }
  private var groups: RealtimeArray<Filters>
  private let band: QuarterRateFilter
  private let rampSteps: Float
  private let highest: Double  // of the sample rate
  private var push: Float = 0
  private var period = 0.0  // of the copy, smoothed
  private var tunedAt = -1.0  // mark
  private var stepsLeft = 0  // of the ramps
  private var groupsOn = 0
  /// True if anything is to be added.
  private(set) var isOn = false

  // The sound of the three steps before this and of this, and what is added in this and the next.
  private var recent = RealtimeArray<Float>(count: 32)
  private var added = (
    SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
  )

  /// - Parameter rampSteps: over how many steps gains change.
  init(rampSteps: Int, sampleRateHz: Double) {
    groups = RealtimeArray(repeating: Filters(), count: Self.groupCount)
    band = QuarterRateFilter()
    self.rampSteps = Float(rampSteps)
    highest = min(4200 / sampleRateHz, QuarterRateFilter.highest)
  }

  @_noLocks mutating func reset() {
    groups.fill(with: Filters())
    (push, period, tunedAt, stepsLeft, groupsOn, isOn) = (0, 0, -1, 0, 0, false)
    recent.clear()
    added = (.zero, .zero, .zero, .zero)
  }

  // MARK: What is to be added

  /// Goes to what the newest reading of the lead asks for.
  ///
  /// - Parameters:
  ///   - ratio: of the copy's pitch.
  ///   - speed: at which grains are read.
  ///   - halfWidth: of what a grain reads, in periods of the lead.
  @_semantics("no_performance_analysis")
  mutating func aim(
    by lead: borrowing VoiceHarmonics, ratio: Double, speed: Double, halfWidth: Double
  ) {
    guard period > 0 else { return }
    let count = min(Int(highest * period), Int(Double(lead.count) * speed / ratio))
    let known = min(count, 4 * Self.groupCount)
    // Near an octave up the fundamental that grains give is mostly the lead's, which hides how its
    // periods differ; without it many voices sound an octave lower.
    let strength = Float(min(max((2 - ratio) / 0.4, 0), 1))
    var (changes, before, after) = (SIMD32<Float>.zero, Float(0), Float(0))
    for i in 0..<known {
      let number = Double(i + 1) * ratio / speed
      let given = lead.grainLevel(at: number, halfWidth: halfWidth)
      changes[i] = strength * min(max(lead.level(at: number) - given, -4), 4)
      before += QuickMath.exp2(2 * given)
      after += QuickMath.exp2(2 * (given + changes[i]))
    }
    // All together as loud as before, or the breath between them would be louder beside them.
    let louder = before > 0 && after > 0 ? 0.5 * QuickMath.log2(before / after) : 0
    let common = min(max(louder, -1), 1)
    for group in 0..<Self.groupCount {
      var wanted = SIMD4<Float>.zero
      for lane in 0..<4 where 4 * group + lane < known {
        let change = changes[4 * group + lane] + common
        wanted[lane] =
          QuickMath.exp2(min(max(change, -Self.maxCut), Self.maxBoost)) - 1
      }
      let last = groups[group].wanted
      groups[group].wanted = last + Self.pace * (wanted - last)
      // Two groups at once, so that filters which may be wanted next circle already.
      if wanted != .zero { groupsOn = max(groupsOn, (group | 1) + 1) }
    }
    beginRamps()
    isOn = true
  }

  /// Adds nothing any more.
  @_noLocks mutating func rest() {
    guard isOn else { return }
    var isResting = true
    for group in 0..<Self.groupCount where groups[group].wanted != .zero {
      groups[group].wanted = .zero
      isResting = false
    }
    if !isResting {
      beginRamps()
    } else if stepsLeft == 0, added.0 == .zero, added.1 == .zero, added.2 == .zero {
      reset()
    }
  }

  @_noLocks private mutating func beginRamps() {
    for group in 0..<Self.groupCount {
      let way = groups[group].wanted - groups[group].gain
      groups[group].ramp = way / rampSteps
    }
    stepsLeft = Int(rampSteps)
  }

  /// Follows the pitch, once for each new mark of the lead.
  @inline(__always) @_noLocks mutating func tune(mark: Double, period: Double) {
    if mark != tunedAt { retune(mark: mark, period: period) }
  }

  @_semantics("no_performance_analysis")
  private mutating func retune(mark: Double, period wanted: Double) {
    tunedAt = mark
    // One period differs from the next by more than the voice means.
    period = period > 0 ? period + 0.4 * (wanted - period) : wanted
    guard isOn else { return }
    let narrowness = max(Float(1 - 4 * .pi * Self.bandwidth / period), 0.5)
    push = 2 * (1 - narrowness)  // half of a cosine circles the other way
    let turn = QuickMath.circle(turns: 4 / period)
    let ahead = QuickMath.circle(turns: QuarterRateFilter.delay / period)
    var turns = Turns(
      turn: turn, ahead: ahead, perHarmonic: Float(1 / period), narrowness: narrowness)
    for group in 0..<groupsOn {
      // Vectors from scalars: one that is filled lane by lane in a loop lies in memory, and each
      // reading of it waits for the last writing.
      let (a, b) = (turns.next(band), turns.next(band))
      let (c, d) = (turns.next(band), turns.next(band))
      let along = SIMD4(a.turned.re, b.turned.re, c.turned.re, d.turned.re)
      let across = SIMD4(a.turned.im, b.turned.im, c.turned.im, d.turned.im)
      let real = SIMD4(a.applied.re, b.applied.re, c.applied.re, d.applied.re)
      let imaginary = SIMD4(a.applied.im, b.applied.im, c.applied.im, d.applied.im)
      groups[unchecked: group].turnAlong = SIMD8(lowHalf: along, highHalf: along)
      groups[unchecked: group].turnAcross = SIMD8(lowHalf: -across, highHalf: across)
      groups[unchecked: group].applied = SIMD8(lowHalf: real, highHalf: -imaginary)
    }
  }

  /// Works out what is added in the step that begins, from the sound before it.
  @_semantics("no_performance_analysis") mutating func step() {
    guard isOn else { return }
    let quarters = band.quarters(recent)
    recent[uncheckedEightAt: 0] = recent[uncheckedEightAt: 8]
    recent[uncheckedEightAt: 8] = recent[uncheckedEightAt: 16]
    recent[uncheckedEightAt: 16] = recent[uncheckedEightAt: 24]
    added = (added.1, added.2, added.3, .zero)
    band.add(pushed(push * quarters), to: &added)
    if stepsLeft > 0 { rampOn() }
  }

  /// Returns the sum of all filters for two pushes.
  @inline(__always) private mutating func pushed(_ quarters: SIMD2<Float>) -> SIMD2<Float> {
    let pushes = (
      SIMD8(lowHalf: SIMD4(repeating: quarters.x), highHalf: .zero),
      SIMD8(lowHalf: SIMD4(repeating: quarters.y), highHalf: .zero)
    )
    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let count = groupsOn
    var filters = groups.mutableSpan
    for group in 0..<count {
      let (along, across) = unsafe (
        filters[unchecked: group].turnAlong, filters[unchecked: group].turnAcross
      )
      let gain = unsafe filters[unchecked: group].gain
      let applied = unsafe SIMD8(lowHalf: gain, highHalf: gain) * filters[unchecked: group].applied
      var points = unsafe filters[unchecked: group].points
      points = along * points + across * points.halvesSwapped + pushes.0
      first += applied * points
      points = along * points + across * points.halvesSwapped + pushes.1
      second += applied * points
      unsafe filters[unchecked: group].points = points
    }
    return first.sums(second)
  }

  private mutating func rampOn() {
    stepsLeft -= 1
    for group in 0..<groupsOn {
      let gain = groups[unchecked: group].gain + groups[unchecked: group].ramp
      groups[unchecked: group].gain = stepsLeft == 0 ? groups[unchecked: group].wanted : gain
    }
  }

  // MARK: Sound

  /// Adds to the eight samples of the step; once all of them are right, it remembers them.
  @inline(__always) @_noLocks
  mutating func apply(to sound: inout SIMD8<Float>, isWhole: Bool) {
    guard isOn else { return }
    if isWhole { recent[uncheckedEightAt: 24] = sound }
    sound += added.0
  }
}

/// How far the points of one harmonic after the other turn, and how they are applied to the output.
private struct Turns: BitwiseCopyable {
  private let turn: ComplexFloat
  private let ahead: ComplexFloat
  private let perHarmonic: Float
  private var turned: ComplexFloat
  private var applied = ComplexFloat(1, 0)
  private var number = 0

  @inline(__always)
  init(turn: ComplexFloat, ahead: ComplexFloat, perHarmonic: Float, narrowness: Float) {
    (self.turn, self.ahead, self.perHarmonic) = (turn, ahead, perHarmonic)
    turned = ComplexFloat(narrowness, 0)
  }

  @inline(__always) mutating func next(
    _ band: borrowing QuarterRateFilter
  ) -> (turned: ComplexFloat, applied: ComplexFloat) {
    number += 1
    turned = turned * turn
    applied = applied * ahead
    let whole = band.levelling(at: perHarmonic * Float(number))
    return (turned, ComplexFloat(whole * applied.re, whole * applied.im))
  }
}
