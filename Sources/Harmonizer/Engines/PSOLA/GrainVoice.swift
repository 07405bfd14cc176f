import DSP

/// One transposed copy: places grains at the periods of its own pitch, and passes sound without pitch.
///
/// The next grain comes one period of the copy after the last. That period is the input's at the time
/// the grain is taken from, divided by the ratio: the pitch follows the input's exactly, and the
/// formants stay. Where there is no voice, or no shift, the input
/// passes with a fixed delay; grains and input change places under halves of a Hann window.
///
/// - Source: Moulines and Charpentier, "Pitch-synchronous waveform processing techniques", Speech
///   Communication 9, 1990.
struct GrainVoice: ~Copyable {
  private static var capacity: Int { @_noLocks get { 32 } }
  /// Share of a period: the prediction of a voice that slides errs by less. With 0.12 and 0.4 as many frames
  /// are wrong, with 0.08 half as many more.
  private static var maxCorrection: Double { @_noLocks get { 0.2 } }
  /// Least time in which the first grain takes over from the input, as a share of half the grain.
  private static var shortestFade: Double { @_noLocks get { 0.25 } }
  /// Periods for which the last grain may be repeated.
  private static var maxRepeats: Double { @_noLocks get { 4 } }

  private(set) var shiftSemitones: Double
  private(set) var formantShiftSemitones: Double
  /// Level of sound without pitch.
  private let unvoicedGain: Float
  private let initialShift: Double
  private let initialFormantShift: Double
  private var ratio: Double
  private var ownPeriod = 0.0  // in samples, where its pitch is given, not its interval; or 0
  private var timing: GrainTiming

  private var grains: RealtimeArray<PlacedGrain>  // ring
  private var newest = -1
  private var oldest = 0
  private var next = 0.0  // middle of the next grain, in samples
  private var trajectory = GrainTrajectory()
  private var nextStart: Double?  // of the next grain, by `next`
  private var markCountAtLastSearch = -1  // marks known when `next` was computed
  private var leapEnd: Double?  // where the first grain of another period is heard, until it is
  private var isEnding = false  // the voice before the leap gets no further grain
  private var latest = MarkMix.none  // source of the newest grain

  /// True if the input passes, or will when it has faded in.
  private var isPassing = true
  private var rise = Fade.over
  private var fall = Fade.over
  private var level: Float  // of what passes
  private var levelStep: Float = 0  // a sample

  /// - Parameter timing: with the speed that `formantShiftSemitones` asks for.
  init(
    shiftSemitones: Double, formantShiftSemitones: Double, unvoicedGain: Float, timing: GrainTiming
  ) {
    self.shiftSemitones = shiftSemitones
    self.formantShiftSemitones = formantShiftSemitones
    initialFormantShift = formantShiftSemitones
    self.unvoicedGain = unvoicedGain
    self.timing = timing
    initialShift = shiftSemitones
    ratio = frequencyRatio(ofSemitones: shiftSemitones)
    grains = RealtimeArray(repeating: .none, count: Self.capacity)
    level = ratio == 1 && timing.speed == 1 ? 1 : unvoicedGain
  }

  @_noLocks mutating func reset() {
    shiftSemitones = initialShift
    ratio = frequencyRatio(ofSemitones: shiftSemitones)
    ownPeriod = 0
    setFormantShift(semitones: initialFormantShift)
    (newest, oldest, next, isPassing) = (-1, 0, 0, true)
    (latest, leapEnd, isEnding) = (.none, nil, false)
    (rise, fall) = (.over, .over)
    markCountAtLastSearch = -1
    level = wantedLevel
    levelStep = 0
  }

  @_noLocks mutating func setShift(semitones: Double) {
    guard semitones == semitones, semitones != shiftSemitones else { return }
    shiftSemitones = Engine.cut(semitones)
    ratio = frequencyRatio(ofSemitones: shiftSemitones)
    markCountAtLastSearch = -1
  }

  /// Gives it periods of its own, about `ratio` times as fast as the input's; 0 to follow the
  /// input's again.
  @_noLocks mutating func setPeriod(_ samples: Double) {
    guard samples != ownPeriod else { return }
    ownPeriod = samples
    markCountAtLastSearch = -1
  }

  @_noLocks mutating func setFormantShift(semitones: Double) {
    guard semitones == semitones, semitones != formantShiftSemitones else { return }
    formantShiftSemitones = Engine.cutFormants(semitones)
    nextStart = nil
    timing.speed = frequencyRatio(ofSemitones: formantShiftSemitones)
  }

  /// Delay of the newest grain, or of the input that passes.
  var soundingDelaySamples: Double {
    @_noLocks get { isPassing ? Double(timing.passingDelay) : grain(newest).delay }
  }

  /// True if the voice only passes the input.
  private var isIdentity: Bool {
    @_noLocks get { ratio == 1 && ownPeriod == 0 && timing.speed == 1 }
  }

  private var wantedLevel: Float { @_noLocks get { isIdentity ? 1 : unvoicedGain } }

  @inline(__always) @_noLocks private func grain(_ number: Int) -> Grain {
    grains[unchecked: number & (Self.capacity - 1)].grain
  }

  // MARK: Planning

  /// Decides what begins within the eight samples from `now` on.
  @_noLocks mutating func plan(
    at now: Int, _ periods: borrowing PeriodMap, _ past: borrowing HistoryBuffer
  ) {
    let time = Double(now)
    while oldest <= newest, grain(oldest).end < time { oldest &+= 1 }
    level += 8 * levelStep
    let away = wantedLevel - level
    let most = timing.levelStep
    if away.magnitude < most * 8 {
      level = wantedLevel
      levelStep = 0
    } else {
      levelStep = away > 0 ? most : -most
    }
    if isPassing { begin(time, periods, past) }
    while !isPassing {
      if periods.count != markCountAtLastSearch {
        findNext(time, periods)
        correct(time, periods)
      }
      let start = nextStart ?? next - halfWidth(max(periods.newest.period, latest.period))
      nextStart = start
      guard start < time + Double(GrainTiming.stepSamples) else { return }
      let delay = timing.delay(soundingPeriod(periods), ratio: ratio)
      if isIdentity || isEnding || !periods.sounds(at: next - delay) {
        pass(time)
      } else {
        placeGrain(time, periods, past)
      }
    }
  }

  /// Places the first grain of a voice, if there is one, with its middle still to come. Its beginning
  /// may be over: all grains come up as the input goes down.
  @_noLocks private mutating func begin(
    _ time: Double, _ periods: borrowing PeriodMap, _ past: borrowing HistoryBuffer
  ) {
    guard periods.isVoiced, !isIdentity, time >= rise.end else { return }
    let half = timing.halfWidth(periods.newest.period, ratio: ratio)
    next = nextGrainTime(notBefore: time, periods)
    isPassing = false
    let width = min(half, max(next - time, Self.shortestFade * half))
    fall = Fade(end: max(next, time + width), width: width)
    placeGrain(time, periods, past)
  }

  /// Lets the input in while the newest grain fades.
  @_noLocks private mutating func pass(_ time: Double) {
    let half = timing.halfWidth(latest.period, ratio: ratio)
    isPassing = true
    rise = Fade(end: max(next, time + half), width: half)
    (latest, leapEnd, isEnding) = (.none, nil, false)
  }

  /// Places the next grain and computes the time of the one after it.
  @_noLocks private mutating func placeGrain(
    _ time: Double, _ periods: borrowing PeriodMap, _ past: borrowing HistoryBuffer
  ) {
    let isBeginning = latest.number < 0
    let isFirst = isBeginning || next == leapEnd
    let source = nextSource(periods)
    // The repeating waveform, not its marks, is to come at the voice's own period.
    if !isFirst { next += source.drift - latest.drift }
    let half = halfWidth(grainPeriod(source.period))
    latest = source
    // The voice has become lower at once: there is no time left for all of the grain.
    let soonest = isBeginning ? next : time + 0.5 * half
    if isFirst || next < soonest || leapEnd != nil {
      next = max(next, soonest)
      trajectory.start(at: next - source.drift)
    } else {
      trajectory.append(next - source.drift)
    }
    var width = isBeginning ? half : min(half, next - time)
    // Read faster or slower it reaches ahead, but not beyond what has arrived.
    let reach = (timing.speed - 1).magnitude
    if reach > 0 { width = min(width, (next - source.latestTime - GrainTiming.ahead) / reach) }
    let grain = Grain(
      middle: next, source: source, halfWidth: width, speed: timing.speed,
      gain: Float(RealtimeMath.root(source.period / (ratio * half))),  // as loud as the input
      mean: mean(of: source, halfWidth: width * timing.speed, past))
    newest &+= 1
    if newest &- oldest >= Self.capacity { oldest &+= 1 }
    grains[newest & (Self.capacity - 1)] = PlacedGrain(grain, source)
    findNext(time, periods)
  }

  /// Moves the grains whose middle is still to come to where their marks are by what is known now. One that
  /// bridges a leap is left.
  @_noLocks private mutating func correct(_ time: Double, _ periods: borrowing PeriodMap) {
    guard leapEnd == nil, timing.speed == 1 else { return }
    var number = newest
    while number >= oldest, grains[number & (Self.capacity - 1)].isCorrectable(at: time) {
      let placed = grains[number & (Self.capacity - 1)]
      guard let source = placed.source.updated(periods) else { break }
      let place = ownPeriod > 0 ? nil : trajectory.place(before: newest &- number)
      let middle = (place ?? placed.grain.middle - placed.source.drift) + source.drift
      grains[number & (Self.capacity - 1)].correct(at: time, to: source, middle: middle)
      number &-= 1
    }
    let source = grains[newest & (Self.capacity - 1)].source
    nextStart = nil
    next += source.drift - latest.drift
    latest = source
  }

  /// Returns the mean of a grain; one as long as a period has that of its sound. The sound about a second
  /// mark has nearly the same.
  @_noLocks private func mean(
    of source: MarkMix, halfWidth: Double, _ past: borrowing HistoryBuffer
  ) -> Float {
    guard halfWidth < 0.999 * source.period else { return 0 }
    return Grain.mean(
      of: past, around: source.first.time, halfWidth: halfWidth, period: source.period)
  }

  /// Returns half of the next grain, if it is one of that period. An octave down grains just touch:
  /// where the last ended sooner than that, the next reaches back to its end.
  @_noLocks private func halfWidth(_ period: Double) -> Double {
    let half = timing.halfWidth(period, ratio: ratio)
    guard latest.number >= 0, ratio > 0.49 else { return half }
    let gap = next - grain(newest).end
    return gap > half && gap < PeriodMap.leap * half ? gap : half
  }

  /// Source of the next grain.
  @_noLocks private mutating func nextSource(_ periods: borrowing PeriodMap) -> MarkMix {
    guard let end = leapEnd else { return nextSource(soundingPeriod(periods), periods) }
    if next < end { return latest }
    leapEnd = nil
    return nextSource(periods.newest.period, periods)
  }

  /// Source that is due at the next grain's time, in a voice of some period.
  @_noLocks private func nextSource(_ period: Double, _ periods: borrowing PeriodMap) -> MarkMix {
    periods.marks(
      about: next - timing.delay(period, ratio: ratio), notAfter: next - timing.least(period))
  }

  /// Returns the period that sets the delay: the newest known, unless the voice leapt to it and
  /// still sounds as before.
  @_noLocks private func soundingPeriod(_ periods: borrowing PeriodMap) -> Double {
    let period = periods.newest.period
    return isLeap(to: period) ? latest.period : period
  }

  /// True if no voice could have slid to that period from the one that sounds.
  @_noLocks private func isLeap(to period: Double) -> Bool {
    guard latest.number >= 0, ownPeriod == 0 else { return false }
    return period > PeriodMap.leap * latest.period || latest.period > PeriodMap.leap * period
  }

  /// The period that a grain of a mark of that period is cut by. A pitch that is given knows better than a
  /// mark much shorter: so far apart, its grains would leave holes.
  @_noLocks private func grainPeriod(_ period: Double) -> Double {
    let given = ownPeriod * ratio
    return given > PeriodMap.leap * period ? given : period
  }

  /// Computes the time of the next grain: a period of the copy after the newest, by what is known now.
  @_noLocks private mutating func findNext(_ time: Double, _ periods: borrowing PeriodMap) {
    markCountAtLastSearch = periods.count
    nextStart = nil
    let last = grain(newest).middle
    if ownPeriod > 0 {
      next = last + ownPeriod
      trajectory.start(at: last - latest.drift)
      return
    }
    let delay = timing.delay(soundingPeriod(periods), ratio: ratio)
    let plain = last + periods.length(ofPeriods: 1 / ratio, from: last - delay - latest.drift)
    next = trajectory.next(afterPeriods: 1 / ratio, delay: delay, periods) + latest.drift
    // A forecast this wrong belonged to another voice.
    if (next - plain).magnitude > Self.maxCorrection * latest.period {
      next = plain
      trajectory.start(at: last - latest.drift)
    }
    if !isLeap(to: periods.newest.period) {
      (leapEnd, isEnding) = (nil, false)
    } else if leapEnd != nil || next - last > PeriodMap.leap * latest.period / ratio
      || isLeap(to: nextSource(latest.period, periods).period)
    {
      leap(time, periods)
    }
  }

  /// Repeats the last grain until the first grain of another period can be heard.
  @_noLocks private mutating func leap(_ time: Double, _ periods: borrowing PeriodMap) {
    let last = grain(newest).middle
    let period = periods.newest.period
    let half = timing.halfWidth(period, ratio: ratio)
    let end =
      leapEnd ?? nextGrainTime(notBefore: max(time + half, last + 0.5 * period / ratio), periods)
    // A grain that would have to be repeated many times was hardly a voice.
    if leapEnd == nil { isEnding = end - last > Self.maxRepeats * latest.period }
    // Grains of an octave down just touch: of shorter ones more are needed.
    let spacing = latest.period / ratio
    let touching = timing.halfWidth(latest.period, ratio: ratio) + half
    let steps = (end - last) / (ratio < 0.49 ? spacing : min(spacing, touching))
    let count = max(1, Int(steps + 0.999))
    next = count == 1 ? end : last + (end - last) / Double(count)
    leapEnd = end
  }

  /// Returns the first time at which a grain of a mark, the newest or a predicted one, has the right
  /// delay.
  @_noLocks private func nextGrainTime(
    notBefore earliest: Double, _ periods: borrowing PeriodMap
  ) -> Double {
    let period = periods.newest.period
    // A shift up repeats each mark, and half of the repeats come sooner.
    let sooner = ratio > 1 ? 0.25 * period : 0
    let soonest = periods.newest.time + timing.delay(period, ratio: ratio) - sooner
    let periodsLater = max(0, (earliest - soonest) / period)
    return soonest + Double(-floorOf(-periodsLater)) * period
  }

  // MARK: Sound

  /// Its eight samples from `time` on, a multiple of eight; those of sound still unknown are
  /// meaningless. Mutating, or each call would copy all that a voice is.
  @inline(__always) @_noLocks
  mutating func eight(at time: Int, from past: borrowing HistoryBuffer) -> SIMD8<Float> {
    var sound = SIMD8<Float>.zero
    var number = oldest
    while number <= newest {
      sound += grains[unchecked: number & (Self.capacity - 1)].eight(at: time, from: past)
      number &+= 1
    }
    let isFalling = Double(time) < fall.end
    if isFalling { sound *= fall.eight(at: time) }
    return isPassing || isFalling ? sound + passed(time, past) : sound
  }

  @inline(__always) @_noLocks
  private mutating func passed(_ time: Int, _ past: borrowing HistoryBuffer) -> SIMD8<Float> {
    let input = past[eightAt: time &- timing.passingDelay]
    if isPassing, levelStep == 0, Double(time) >= rise.end { return level * input }
    let there: Float = isPassing ? 1 : 0
    let ramp = level + levelStep * SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    return ramp * (there + rise.eight(at: time) - fall.eight(at: time)) * input
  }
}
