import Analyzer
import DSP
import Music

/// Draws a voice to the notes of a key, of a set of tones, or of keys held down.
///
/// A correction belongs to the sound it was measured on: the sound waits until the tracker has
/// judged it, so that the stated latency is the longer of the tracker's look-ahead with one hop and
/// the engine's own delay. With `lowDelay` it is the engine's alone, and corrections are late.
///
/// `nextMoment` reports each decision. The last correction stays for 30 ms after the voice ends and
/// then goes.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples, nominally ±1. A sample that is not finite, or more than 60 dB
///   above full scale, counts as 0.
/// - Cost: that of the tracker, about 0.004 of real time, and of one voice of the engine.
public struct AutoTuner: BlockProcessor, KeyReceiver, ~Copyable {
  public let settings: Settings
  public let sampleRateHz: Double
  public let latencySamples: Int

  private var tracker: StreamingPitchTracker
  private var transposer: EngineBank
  private var corrector: PitchCorrector
  private var notes: TargetNotes
  /// Actions that wait until the tuner reaches their sound, which it judges a look-ahead late: far more
  /// than fingers and wheels can play in that time; the oldest of more are lost.
  private var keys = RealtimeQueue(room: 4096, filling: TimedAction(sample: 0, action: .releaseAll))
  private var shifts: ShiftLine
  private var moments = RealtimeQueue(
    room: 1024,
    filling: TuningMoment(sample: 0, leadHz: 0, key: nil, targetHz: nil, correctionCents: 0))

  private var past: HistoryBuffer  // of the input
  private let waitSamples: Int  // before the engine
  private var clean: RealtimeArray<Float>  // a stretch of the input
  private var late: RealtimeArray<Float>  // of what goes to the engine
  private var tuned: RealtimeArray<Float>
  private var consumed = 0  // samples
  /// Samples between two changes of the engine's shift.
  private let stride: Int

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    let tracker = try StreamingPitchTracker(settings.tracking, sampleRateHz: sampleRateHz)
    let transposer = try EngineBank(
      shiftsSemitones: [0], settings.engine, sampleRateHz: sampleRateHz)
    let notes = try TargetNotes(settings.target, settings.tuning)
    self.settings = settings
    self.sampleRateHz = sampleRateHz
    stride = max(1, Int(sampleRateHz * 0.000_67))
    let engineDelay = transposer.latencySamples
    // When all there is to know of an instant is known: an estimate on either side.
    let judged = tracker.lookAheadSamples + tracker.hopSamples + stride
    waitSamples = settings.lowDelay ? 0 : max(0, judged - engineDelay)
    latencySamples = waitSamples + engineDelay
    // An engine's delay may sway by as much again.
    shifts = ShiftLine(count: (2 * latencySamples + judged) / tracker.hopSamples + 8)
    past = HistoryBuffer(longest: latencySamples + stride)
    clean = RealtimeArray<Float>(count: stride)
    late = RealtimeArray<Float>(count: stride)
    tuned = RealtimeArray<Float>(count: stride)
    corrector = PitchCorrector(
      settings.correction, vibrato: settings.vibrato, hopSamples: tracker.hopSamples,
      sampleRateHz: sampleRateHz)
    self.tracker = tracker
    self.transposer = transposer
    self.notes = notes
  }

  /// Performs a player's action on the keys; it counts for the sound that comes in after it. A tuner
  /// ignores velocities.
  @_noLocks public mutating func perform(_ action: KeyAction) {
    keys.push(TimedAction(sample: consumed, action: action))
  }

  /// Returns the oldest decision that waits; `nil` when there is none. Of more than 1024 waiting,
  /// about 2.5 s, the oldest are lost.
  @_noLocks public mutating func nextMoment() -> TuningMoment? { moments.pop() }

  /// Forgets the past and the keys held.
  @_noLocks public mutating func reset() {
    tracker.reset()
    transposer.reset()
    corrector.reset()
    notes.reset()
    keys.removeAll()
    shifts.reset()
    moments.removeAll()
    past.reset()
    consumed = 0
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    let (count, room) = (input.count, output.count)
    precondition(count == room, "counts differ")
    var start = 0
    while start < count {
      // Never across a multiple of the stride, wherever blocks end.
      let end = min(count, start + stride - consumed % stride)
      append(input, start..<end)
      Self.track(clean, end - start, by: &tracker)
      Self.transpose(late, end - start, by: &transposer, into: &tuned)
      write(start..<end, to: &output)
      consumed += end - start
      if consumed % stride == 0 {
        decide()
        steer()
      }
      start = end
    }
  }

  /// Appends a stretch of the input, and selects what is due for the engine.
  @_noLocks private mutating func append(_ input: Span<Float>, _ range: Range<Int>) {
    for i in 0..<range.count {
      let sound = input[range.lowerBound + i].soundOrZero
      clean[i] = sound
      past.push(sound)
      late[i] = past[delay: waitSamples]
    }
  }

  @_noLocks private mutating func write(_ range: Range<Int>, to output: inout MutableSpan<Float>) {
    let isCorrected = settings.correction.amountPercent > 0
    for i in 0..<range.count {
      output[range.lowerBound + i] = isCorrected ? tuned[i] : past[consumed + i - latencySamples]
    }
  }

  // These two only cut spans; what they call is checked there.
  @_semantics("no_performance_analysis")
  private static func track(
    _ sound: borrowing RealtimeArray<Float>, _ count: Int, by tracker: inout StreamingPitchTracker
  ) {
    tracker.process(sound.span.extracting(0..<count))
  }

  @_semantics("no_performance_analysis")
  private static func transpose(
    _ sound: borrowing RealtimeArray<Float>, _ count: Int, by transposer: inout EngineBank,
    into tuned: inout RealtimeArray<Float>
  ) {
    var voice = tuned.mutablePrefix(count)
    transposer.process(sound.span, 0..<count, into: &voice)
  }

  /// Turns estimates into points of the line.
  @_noLocks private mutating func decide() {
    while let estimate = tracker.next() {
      while keys.count > 0, keys.first.sample <= estimate.timeSamples, let next = keys.pop() {
        notes.perform(next.action)
      }
      let decision = corrector.next(f0Hz: estimate.f0Hz, voicing: estimate.voicing, notes)
      let sample = max(estimate.measuredSample(sampleRateHz: sampleRateHz), shifts.lastSample + 1)
      var pitch: Double?
      if decision.key != nil, estimate.f0Hz > 0 {
        // Semitones above 440 Hz: a MIDI number would round away two bits.
        pitch = semitones(ofFrequencyRatio: estimate.f0Hz / 440) + decision.shiftSemitones
      }
      shifts.add(
        .init(
          sample: sample, semitones: decision.shiftSemitones, pitch: pitch,
          joins: decision.joins))
      var target: Double?
      if let pitch = decision.target { target = NoteNumber(pitch).hz }
      moments.push(
        TuningMoment(
          sample: sample, leadHz: estimate.f0Hz, key: decision.key, targetHz: target,
          correctionCents: 100 * decision.shiftSemitones))
    }
  }

  /// Sets the engine's shift for the sound that it outputs from now on.
  @_noLocks private mutating func steer() {
    let sounding = Double(consumed - waitSamples) - transposer.state(ofVoice: 0).steeredDelaySamples
    let (semitones, pitch) = shifts.at(sounding)
    var pitchHz: Double?
    if let pitch { pitchHz = 440 * frequencyRatio(ofSemitones: pitch) }
    transposer.setShift(semitones: semitones, ofVoice: 0)
    transposer.setPitch(hz: pitchHz, ofVoice: 0)
  }
}

/// A player's action, and the sample of the sound that it came with.
struct TimedAction: BitwiseCopyable, Sendable {
  var sample: Int
  var action: KeyAction

  @_noLocks init(sample: Int, action: KeyAction) { (self.sample, self.action) = (sample, action) }
}
