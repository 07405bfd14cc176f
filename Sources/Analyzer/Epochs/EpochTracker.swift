import DSP
import Foundation

/// Marks the periods of a voice in real time, one mark a period just before its energy peaks, and
/// regular steps where there is no voice.
///
/// Each period is locked to the one before: the lag at which the sound around the last mark repeats
/// best is the new period, at sub-sample resolution. The pitch tracker decides where there is voice,
/// and corrects the lock where it slips by an octave or stays at a cycle of a formant. Marks are pulled
/// gently towards the energy peak, so that their phase in the period doesn't drift.
///
/// - Input: mono, 8 to 192 kHz, in blocks of any size, which don't change the output. Samples that
///   are not finite count as silence.
/// - Cost: about 0.002 of real time at 48 kHz, the pitch tracker included. Allocates in `init`
///   only.
/// - Source: Moulines and Charpentier, "Pitch-synchronous waveform processing techniques", Speech
///   Communication 9, 1990, for the use of marks; the lock by correlation is that of Praat's "To
///   PointProcess (cc)" by Boersma.
public struct EpochTracker: ~Copyable {
  /// Settings of the tracker.
  public struct Settings: Codable, Equatable, Sendable {
    /// Settings of the pitch tracker. Its look-ahead delays the detection of a voice; marks within
    /// the voice are not delayed by it.
    public var pitch = StreamingPitchTracker.Settings()
    /// Sound needed after a mark, in periods; the first mark of a voice needs up to one period more.
    public var lookAheadPeriods = 1.0
    /// Distance between marks in unvoiced sound.
    public var unvoicedMs = 5.0
    /// Maximum relative change from one period to the next.
    public var widestChange = EpochTracker.widestChange
    /// Share of the distance to the energy peak by which each mark is pulled.
    public var pull = 0.08
    /// Time for which a period must have repeated before a voice may begin with it. A period far
    /// shorter than the current one must have repeated for the current one. 0 trusts the pitch
    /// tracker.
    public var proofMs = 0.0
    /// Time by which unvoiced marks are delayed, so that a voice's first mark may lie in sound from
    /// before its detection.
    public var heldBackMs = 0.0

    public init() { pitch.lookAheadMs = 10 }

    public func validate() throws(SettingsError) {
      try pitch.validate()
      try require("lookAheadPeriods", lookAheadPeriods, in: 0...2)
      try require("unvoicedMs", unvoicedMs, in: 1000 / pitch.ceilingHz...20)
      try require("widestChange", widestChange, in: 0.02...0.3)
      try require("pull", pull, in: 0...1)
      try require("proofMs", proofMs, in: 0...20)
      try require("heldBackMs", heldBackMs, in: 0...40)
    }
  }

  /// Default share of a period by which the next may be longer or shorter.
  public static var widestChange: Double { @_noLocks get { 0.12 } }

  public let settings: Settings
  /// Capacity of the queue; with more marks in one block the oldest are lost.
  public static var maxWaiting: Int { @_noLocks get { 2048 } }

  /// Ratio of periods below which a change is not a slide of the voice.
  private static var farShorter: Double { @_noLocks get { 0.6 } }
  /// Advantage in correlation that a longer period needs over the current one.
  private static var margin: Float { @_noLocks get { 0.05 } }
  /// Correlation of a period beside which no better one is looked for.
  private static var sure: Double { @_noLocks get { 0.92 } }
  /// Advantage in correlation that the tracked pitch needs over the lock.
  private static var clear: Double { @_noLocks get { 0.08 } }
  /// Share of a period by which the tracked pitch and the lock differ without doubt of either.
  private static var nearby: Double { @_noLocks get { 0.03 } }

  private let search: PeriodSearch
  private var pitch: StreamingPitchTracker
  private let step: Double  // between unvoiced marks; all times below in samples of `pitch.heard`
  private let shortest: Double  // between any two marks
  private let heldBack: Double  // delay of unvoiced marks
  private var mark: Double  // the last mark
  private var period = 0.0  // the last period, or 0 if unvoiced
  private var due = 0.0  // count of samples needed for the next mark
  private var awaited = 0.0  // the same for the first mark of a voice, or 0
  private var isAwaitingFirst = false
  private var followers = 0  // marks of this voice after its first
  private var doubts = 0  // consecutive periods that only the lock takes for voice
  private var waiting: RealtimeQueue<Epoch>

  public init(_ settings: Settings = Settings(), sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    let pitch = try StreamingPitchTracker(
      settings.pitch, sampleRateHz: sampleRateHz, refined: false)
    self.settings = settings
    step = settings.unvoicedMs / 1000 * pitch.analysisRateHz
    shortest = pitch.analysisRateHz / settings.pitch.ceilingHz
    heldBack = settings.heldBackMs / 1000 * pitch.analysisRateHz
    mark = pitch.analysisPosition(ofSample: 0) - heldBack
    waiting = RealtimeQueue(room: Self.maxWaiting, filling: .none)
    due = mark + step * (1 + settings.lookAheadPeriods) + heldBack
    search = PeriodSearch(
      shortest: shortest, lookAheadPeriods: settings.lookAheadPeriods,
      widestChange: settings.widestChange)
    self.pitch = pitch
  }

  /// Forgets the past, as if just created.
  @_noLocks public mutating func reset() {
    pitch.reset()
    mark = pitch.analysisPosition(ofSample: 0) - heldBack
    period = 0
    (doubts, followers) = (0, 0)
    awaited = 0
    isAwaitingFirst = false
    waiting.removeAll()
    due = mark + step * (1 + settings.lookAheadPeriods) + heldBack
  }

  /// Processes a block of sound and queues its marks for `next`.
  @_noLocks public mutating func process(_ block: Span<Float>) {
    let count = block.count
    var start = 0
    while start < count {
      let end = pitch.hear(block, start..<count)
      for _ in start..<end {
        // The newest pitch decides when the first mark of a voice is due.
        if pitch.take(), isAwaitingFirst || isFarTooLong() { due = 0 }
        if Double(pitch.heard.count) > due { advance() }
      }
      start = end
    }
  }

  /// Removes and returns the oldest queued mark; `nil` if there is none.
  @_noLocks public mutating func next() -> Epoch? { waiting.pop() }

  /// Period in samples at the newest mark, by which the waveform repeats there; 0 if unvoiced.
  /// Unlike the spacing of marks it excludes the pull towards the energy peak.
  public var periodSamples: Double {
    @_noLocks get {
      period * (pitch.sample(ofAnalysisPosition: 1) - pitch.sample(ofAnalysisPosition: 0))
    }
  }

  /// Delay in samples from a mark within a voice to its output.
  @_noLocks public func waitSamples(period: Double) -> Double {
    let sampled = pitch.sample(ofAnalysisPosition: 1) - pitch.sample(ofAnalysisPosition: 0)
    let delay = -1 - pitch.sample(ofAnalysisPosition: -1) + 3 * sampled
    return delay + (settings.lookAheadPeriods + settings.widestChange) * period
  }

  /// True if the pitch now shows a far shorter period, so that the end of the current one will not
  /// come.
  @_noLocks private func isFarTooLong() -> Bool {
    guard settings.proofMs > 0, period > 0, pitch.latest.f0Hz > 0 else { return false }
    let expected = pitch.analysisRateHz / pitch.latest.f0Hz
    let heard = Double(pitch.heard.count) - mark
    return expected < Self.farShorter * period && heard > expected * (1 + settings.widestChange)
      && !rings(expected)
  }

  /// True if a far shorter period is the ringing of a formant, which the next glottal pulse
  /// interrupts. A real one must have repeated for the current period; shortly after a voice
  /// begins, whose first period may be wrong, `proofMs` is enough.
  @_noLocks private func rings(_ expected: Double) -> Bool {
    let proof = followers < 3 ? settings.proofMs / 1000 * pitch.analysisRateHz : period
    return !search.repeats(expected, for: proof, in: pitch.heard)
  }

  /// Sets the next mark, for which enough sound has arrived.
  @_noLocks private mutating func advance() {
    let expected = pitch.latest.f0Hz > 0 ? pitch.analysisRateHz / pitch.latest.f0Hz : 0
    if period > 0 {
      continueVoice(expected)
    } else if expected > 0 {
      beginVoice(expected)
    } else {
      stepUnvoiced()
    }
    let ahead = period > 0 ? period : step
    isAwaitingFirst = awaited > 0
    if isAwaitingFirst {
      due = awaited
      awaited = 0
      return
    }
    due = mark + ahead * (1 + settings.lookAheadPeriods) + 2
    if period > 0 {
      due += settings.widestChange * period
    } else if heldBack > 0 {
      due = min(due + heldBack, Double(pitch.heard.count) + step)
    }
  }

  /// Sets the next unvoiced mark, unless it is held back.
  @_noLocks private mutating func stepUnvoiced() {
    let enough = mark + step * (1 + settings.lookAheadPeriods) + 2 + heldBack
    guard heldBack == 0 || Double(pitch.heard.count) > enough else { return }
    emit(mark + step, voiced: false)
  }

  /// Sets the first mark of a voice, at the energy peak of a period.
  @_noLocks private mutating func beginVoice(_ expected: Double) {
    let wait = settings.lookAheadPeriods * expected + 2
    let newest = Double(pitch.heard.count) - 1 - wait - expected
    let first = heldBack > 0 ? max(mark + shortest, newest) : mark + shortest
    let last = first + expected
    let enough = last + wait
    guard Double(pitch.heard.count) > enough else {
      awaited = enough
      return
    }
    let proof = settings.proofMs / 1000 * pitch.analysisRateHz
    guard search.repeats(expected, for: proof, in: pitch.heard) else {
      return stepUnvoiced()
    }
    let place = search.energyPlace(first + expected / 2, expected, in: pitch.heard)
    period = expected
    (doubts, followers) = (0, 0)
    emit(place, voiced: true)
  }

  /// Sets the mark one period after the last, or ends the voice.
  @_noLocks private mutating func continueVoice(_ expected: Double) {
    let rings =
      settings.proofMs > 0 && expected > 0 && expected < Self.farShorter * period && rings(expected)
    // The pitch lags a little, so only a leap of it shows that the lock is wrong.
    let leaps = expected > 0 && !rings && RealtimeMath.log2(expected / period).magnitude > 0.15
    let guess = leaps ? expected : period
    if settings.proofMs > 0, leaps, guess > period {
      // A longer period must match better than the current one.
      let longer = search.correlation(guess, over: guess, in: pitch.heard)
      let current = search.correlation(period, over: guess, in: pitch.heard)
      let best = longer > current + Self.margin ? guess : period
      guard let found = search.repetition(best, after: mark, in: pitch.heard),
        found.correlation > 0.5
      else { return endVoice() }
      doubts = 0
      return emit(voicedAfter: found.period)
    }
    guard let near = search.repetition(guess, after: mark, in: pitch.heard) else {
      if expected > 0, !rings { return emit(voicedAfter: guess) }
      return endVoice()
    }
    let found = leaps || rings ? near : better(than: near, expected)
    // Neither period repeats, so there is no voice.
    if rings, found.correlation <= 0.5 { return endVoice() }
    if expected > 0 {
      doubts = 0
    } else {
      doubts += 1
      if found.correlation < 0.8 || doubts > 3 { return endVoice() }
    }
    // After a poor match the pitch is the better estimate.
    emit(voicedAfter: found.correlation > 0.5 || expected == 0 ? found.period : guess)
  }

  /// Returns the repetition at the tracked pitch, if the sound repeats better there.
  ///
  /// A formant that rings between two pulses makes the sound nearly repeat some of its cycles beside
  /// the period too, and the lock would stay there.
  @_noLocks private func better(
    than near: PeriodSearch.Repetition, _ expected: Double
  ) -> PeriodSearch.Repetition {
    guard expected > 0, near.correlation < Self.sure,
      (expected / near.period - 1).magnitude > Self.nearby,
      let tracked = search.repetition(expected, after: mark, in: pitch.heard),
      tracked.correlation > near.correlation + Self.clear
    else { return near }
    return tracked
  }

  @_noLocks private mutating func endVoice() {
    period = 0
    emit(mark + max(step, shortest), voiced: false)
  }

  @_noLocks private mutating func emit(voicedAfter length: Double) {
    period = length
    let place = mark + length
    let away = search.energyPlace(place, length, in: pitch.heard) - place
    let limit = 0.04 * length
    // Pull towards the mean at first: the energy peak of a voice's onset lies elsewhere.
    let share = max(settings.pull, 2 / Double(followers + 3))
    followers &+= 1
    let pulled = place + min(max(share * away, -limit), limit)
    emit(max(pulled, mark + shortest), voiced: true)
  }

  @_noLocks private mutating func emit(_ place: Double, voiced: Bool) {
    let factor = pitch.sample(ofAnalysisPosition: 1) - pitch.sample(ofAnalysisPosition: 0)
    waiting.push(
      Epoch(
        timeSamples: pitch.sample(ofAnalysisPosition: place),
        spacingSamples: (place - mark) * factor,
        isVoiced: voiced))
    mark = place
  }
}

extension Epoch {
  static var none: Epoch {
    @_noLocks get { Epoch(timeSamples: 0, spacingSamples: 0, isVoiced: false) }
  }
}
