import Analyzer
import DSP

/// The pitch-synchronous engine: keeps formants, follows the voice period by period.
///
/// One `EpochTracker` finds the periods for all voices; each `GrainVoice` costs its grains only.
/// Delays follow the period: 1.42 periods and 0.6 ms with a look-ahead of one period, less for shifts
/// or formants up, up to 2.22 periods with formants an octave down; without look-ahead half a period,
/// or 0.12 of one and 0.6 ms, whichever is more. Sound without pitch is delayed as a voice at 196 Hz is.
///
/// - Input: mono, one voice, 8 to 192 kHz. A sample that is not finite counts as 0.
/// - Cost: one analysis, about 0.002 of real time at 48 kHz, and 0.0003 a voice. Allocates in `init` only.
/// - Source: Moulines and Charpentier, 1990; the shared analysis as in Schnell, Peeters et al.,
///   "Synthesizing a choir in real-time using pitch synchronous overlap add", ICMC 2000.
public struct PSOLABank: PitchShifter, ~Copyable {
  public let latencySamples: Int
  private let sampleRateHz: Double
  private var voices: RealtimeArray<GrainVoice>
  private var tracker: EpochTracker
  private var periods: PeriodMap
  private var past: HistoryBuffer
  private var clock = 0  // samples so far

  /// - Parameter shiftsSemitones: one for each voice; positive is up.
  public init(
    shiftsSemitones: [Double], _ settings: PSOLA.Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    for shift in shiftsSemitones {
      try require("shiftSemitones", shift, in: Engine.shiftRange)
    }
    let tracker = try EpochTracker(settings.tracking, sampleRateHz: sampleRateHz)
    let timing = GrainTiming(settings, tracker: tracker, sampleRateHz: sampleRateHz)
    let longest = sampleRateHz / settings.floorHz * 1.2
    // Formants as low as they can be moved are read slowest, and so longest.
    var slowest = timing
    slowest.speed = frequencyRatio(ofSemitones: Engine.formantRange.lowerBound)
    let reach =
      slowest.delay(longest, ratio: 1) + 2 * slowest.halfWidth(longest, ratio: 1) + 2 * longest + 32
    past = HistoryBuffer(longest: Int(reach), window: 16)
    periods = PeriodMap()
    latencySamples = timing.passingDelay
    self.sampleRateHz = sampleRateHz
    self.tracker = tracker
    voices = RealtimeArray(count: shiftsSemitones.count) { voice in
      GrainVoice(
        shiftSemitones: shiftsSemitones[voice],
        formantShiftSemitones: settings.formantShiftSemitones,
        unvoicedGain: Float(settings.unvoicedGain), timing: timing)
    }
  }

  public var voiceCount: Int { @_noLocks get { voices.count } }

  @_noLocks public mutating func reset() {
    tracker.reset()
    periods.reset()
    past.reset()
    clock = 0
    for voice in 0..<voices.count { voices[voice].reset() }
  }

  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    voices[voice].setShift(semitones: semitones)
  }

  /// Gives a copy a pitch of its own, whatever the input's period is: the pitch is that at once and
  /// to the sample, as long as there is a voice. Its shift says how far away that is, for the shape
  /// of the grains. With `nil` it follows the input by its shift again, as after `reset`.
  @_noLocks public mutating func setPitch(hz: Double?, ofVoice voice: Int) {
    guard let hz else { return voices[voice].setPeriod(0) }
    guard hz > 0, hz.isFinite else { return }
    let highest = 4 * tracker.settings.pitch.ceilingHz
    let cut = min(max(hz, tracker.settings.pitch.floorHz / 4), highest)
    voices[voice].setPeriod(sampleRateHz / cut)
  }

  /// Moves the formants of a copy from the next grain on.
  @_noLocks public mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    voices[voice].setFormantShift(semitones: semitones)
  }

  /// Its delay is that of the newest grain.
  @_noLocks public func state(ofVoice voice: Int) -> ShiftedVoice {
    ShiftedVoice(
      shiftSemitones: voices[voice].shiftSemitones,
      formantShiftSemitones: voices[voice].formantShiftSemitones,
      delaySamples: voices[voice].soundingDelaySamples)
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into output: inout MutableSpan<Float>
  ) {
    let (count, room) = (range.count, output.count)
    precondition(room == voices.count * count, "no room for every voice")
    var done = 0
    while done < count {
      // All decisions fall at multiples of the step, so blocks don't change them.
      let step = GrainTiming.stepSamples
      let offset = clock & (step - 1)
      if offset == 0 { plan() }
      let length = min(step - offset, count - done)
      let start = range.lowerBound + done
      for i in 0..<length {
        past.push(input[start + i].soundOrZero)
      }
      track(input, start..<start + length, by: &tracker)
      for voice in 0..<voices.count {
        let sound = voices[voice].eight(at: clock &- offset, from: past)
        let place = voice * count + done
        if length == step {
          output.storeUnchecked(sound, at: place)
        } else {
          for i in 0..<length { output[place + i] = sound[offset + i] }
        }
      }
      clock &+= length
      done += length
    }
  }

  /// Adds the marks found since the last step, and lets each voice place its grains.
  @_noLocks private mutating func plan() {
    while let mark = tracker.next() {
      // Where the voice has ended since, the tracker knows of no period any more.
      let known = tracker.periodSamples
      let period = known > 0 ? known : mark.spacingSamples
      // The first mark of a voice has none before it to be a period away from.
      periods.add(
        mark.timeSamples, period: period, pull: periods.isVoiced ? mark.spacingSamples - period : 0,
        isVoiced: mark.isVoiced)
    }
    for voice in 0..<voices.count { voices[voice].plan(at: clock, periods, past) }
  }
}

/// Passes a part of the input to the tracker; cutting it out of a span locks nothing.
@_semantics("no_performance_analysis")
private func track(_ input: Span<Float>, _ range: Range<Int>, by tracker: inout EpochTracker) {
  tracker.process(input.extracting(range))
}
