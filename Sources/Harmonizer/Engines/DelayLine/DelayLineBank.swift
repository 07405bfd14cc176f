import Analyzer
import DSP

/// The delay-line engine: a `DelayLineShifter` for each voice, and with `spliceToPeriods` one
/// pitch tracker shared by all voices.
///
/// - Latency: that of the sweep as set; while the sweep follows a voice, half of window and crossfade
///   at its note.
/// - Allocates: in `init` only.
public struct DelayLineBank: PitchShifter, ~Copyable {
  private var shifters: RealtimeArray<DelayLineShifter>
  /// Tracker of the periods to follow; `nil` where there are none.
  private var tracker: StreamingPitchTracker?
  private let sampleRateHz: Double
  private var consumed = 0  // samples
  /// Longest stretch of samples at once, short enough to lose no estimate.
  private let longestStretch = 4096

  /// - Parameter shiftsSemitones: one for each voice; positive is up.
  public init(
    shiftsSemitones: [Double], _ settings: DelayLineShifter.Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    if settings.spliceToPeriods > 0 {
      var tracking = StreamingPitchTracker.Settings()
      tracking.floorHz = Sweep.floorHz
      tracking.lookAheadMs = 10
      tracker = try StreamingPitchTracker(tracking, sampleRateHz: sampleRateHz)
    } else {
      tracker = nil
    }
    shifters = try RealtimeArray(count: shiftsSemitones.count) { voice throws(SettingsError) in
      try DelayLineShifter(
        shiftSemitones: shiftsSemitones[voice], settings, sampleRateHz: sampleRateHz)
    }
    self.sampleRateHz = sampleRateHz
  }

  public var voiceCount: Int { @_noLocks get { shifters.count } }

  public var latencySamples: Int {
    @_noLocks get { shifters.count > 0 ? shifters[0].latencySamples : 0 }
  }

  @_noLocks public mutating func reset() {
    for voice in 0..<shifters.count { shifters[voice].reset() }
    tracker?.reset()
    consumed = 0
  }

  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    shifters[voice].setShift(semitones: semitones)
  }

  /// Its delay is that of the louder of the two taps. Formants go with the pitch.
  @_noLocks public func state(ofVoice voice: Int) -> ShiftedVoice {
    ShiftedVoice(
      shiftSemitones: shifters[voice].shiftSemitones,
      delaySamples: shifters[voice].soundingDelaySamples)
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    let (count, room) = (range.count, voices.count)
    precondition(room == shifters.count * count, "no room for every voice")
    guard tracker != nil else {
      sweep(input, range, 0, count, into: &voices)
      return
    }
    var done = 0
    while done < count {
      let end = min(done + longestStretch, count)
      let start = range.lowerBound
      tracker?.process(input, (start + done)..<(start + end))
      let first = consumed - done
      while let estimate = tracker?.next() {
        // An estimate at one sample counts from the next on, whatever the block.
        let until = estimate.timeSamples + estimate.ageSamples - first
        sweep(input, range, done, until, into: &voices)
        done = until
        let period = estimate.f0Hz > 0 ? sampleRateHz / estimate.f0Hz : 0
        for voice in 0..<shifters.count { shifters[voice].follow(periodSamples: period) }
      }
      sweep(input, range, done, end, into: &voices)
      done = end
      consumed = first + end
    }
  }

  /// Every voice, from one sample of `range` to another.
  @_noLocks private mutating func sweep(
    _ input: Span<Float>, _ range: Range<Int>, _ from: Int, _ to: Int,
    into voices: inout MutableSpan<Float>
  ) {
    let (start, count) = (range.lowerBound, range.count)
    for voice in 0..<shifters.count {
      shifters[voice].process(
        input, (start + from)..<(start + to), into: &voices, at: voice * count + from)
    }
  }
}
