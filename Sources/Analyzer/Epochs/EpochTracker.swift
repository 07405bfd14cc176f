import DSP
import Foundation

/// Marks the periods of a voice while it sounds, one mark a period just before its energy peaks,
/// and steps regularly where there is no voice.
///
/// Each period is locked to the one before: the shift at which the sound around the last mark
/// repeats itself best is the new period, exact between samples. The pitch tracker says where there
/// is voice, corrects slips of an octave, and nothing else. Marks are pulled gently towards the
/// energy peak, so that their place in the period doesn't drift.
///
/// - Input: mono, 8 to 192 kHz, in blocks of any size, which don't change the output. A sample that
///   is not finite counts as silence.
/// - Cost: about 0.001 of real time at 48 kHz, the pitch tracker included. Allocates in `init` only.
/// - Source: Moulines and Charpentier, "Pitch-synchronous waveform processing techniques", Speech
///   Communication 9, 1990, for what marks are for; the lock by correlation as in Boersma's
///   "To PointProcess (cc)" of Praat.
public struct EpochTracker: ~Copyable {
  /// What can be chosen.
  public struct Settings: Codable, Equatable, Sendable {
    /// Its look-ahead is how late voice is noticed; marks in it are not that late.
    public var pitch = StreamingPitchTracker.Settings()
    /// How much sound after it a mark waits for, in periods; the first mark of a voice up to one
    /// period more.
    public var lookAheadPeriods = 1.0
    /// Between marks where there is no voice.
    public var unvoicedMs = 5.0
    /// How far a period may differ from the one before.
    public var widestChange = 0.12
    /// Share of its distance from the energy peak by which a mark is pulled, a period.
    public var pull = 0.08
    /// For how long a period has to have come again before a voice is taken to begin with it; one much
    /// shorter than that of a voice that sounds, for as long as that. 0 believes the pitch tracker.
    public var proofMs = 0.0
    /// For how long marks without voice are held back, so that the first of a voice may lie in sound that
    /// was heard before the voice was noticed.
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

  public let settings: Settings
  /// As many marks wait to be taken; more than these in one block and the oldest are lost.
  public static var mostWaiting: Int { @_noLocks get { 2048 } }

  /// Of two periods alike; where the nearest shift falls short, others are tried.
  private static var goodCorrelation: Double { @_noLocks get { 0.65 } }
  /// The farthest tried then, in periods: a leap of a fourth down or a fifth up.
  private static var widestLeap: Double { @_noLocks get { 0.35 } }

  /// Of neighbouring periods of a voice that begins; those of hiss, or of a ring that the next pulse breaks,
  /// are less alike.
  private static var heldCorrelation: Float { @_noLocks get { 0.3 } }

  /// Share of a period below which another is not one that the voice could have slid to.
  private static var farShorter: Double { @_noLocks get { 0.6 } }
  /// By how much more than at the period that sounds the sound has to come again at a longer one.
  private static var margin: Float { @_noLocks get { 0.05 } }

  private var pitch: StreamingPitchTracker
  private let step: Double  // between marks without voice; this and all below in heard samples
  private let shortest: Double  // between any two marks
  private let heldBack: Double  // marks without voice
  private var mark: Double  // the last
  private var period = 0.0  // the last, or 0 without voice
  private var due = 0.0  // how much has to be heard before the next mark
  private var awaited = 0.0  // the same for the first mark of a voice, or 0
  private var isAwaitingFirst = false
  private var followers = 0  // marks of this voice after its first
  private var doubts = 0  // periods in a row that nobody but the lock takes for voice
  private var waiting: Slots<Epoch>
  private var given = 0
  private var taken = 0

  public init(
    _ settings: Settings = Settings(), sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    let pitch = try StreamingPitchTracker(
      settings.pitch, sampleRateHz: sampleRateHz, refined: false)
    self.settings = settings
    step = settings.unvoicedMs / 1000 * pitch.heardRateHz
    shortest = pitch.heardRateHz / settings.pitch.ceilingHz
    heldBack = settings.heldBackMs / 1000 * pitch.heardRateHz
    mark = pitch.heardPosition(ofSample: 0) - heldBack
    waiting = Slots(Self.mostWaiting, repeating: Epoch.none)
    due = mark + step * (1 + settings.lookAheadPeriods) + heldBack
    self.pitch = pitch
  }

  /// Forgets the past, as if just created.
  @_noLocks public mutating func reset() {
    pitch.reset()
    mark = pitch.heardPosition(ofSample: 0) - heldBack
    period = 0
    (doubts, followers) = (0, 0)
    awaited = 0
    isAwaitingFirst = false
    given = 0
    taken = 0
    due = mark + step * (1 + settings.lookAheadPeriods) + heldBack
  }

  /// Takes a block of sound; the marks in it wait for `next`.
  @_noLocks public mutating func process(_ block: Span<Float>) {
    let count = block.count
    var start = 0
    while start < count {
      let end = pitch.hear(block, start..<count)
      for _ in start..<end {
        // What is awaited for the first mark of a voice goes by the newest pitch.
        if pitch.take(), isAwaitingFirst || isFarTooLong() { due = 0 }
        if Double(pitch.heard.count) > due { advance() }
      }
      start = end
    }
  }

  /// The oldest mark not yet taken; `nil` when there is none.
  @_noLocks public mutating func next() -> Epoch? {
    guard taken < given else { return nil }
    taken = max(taken, given - Self.mostWaiting)
    taken += 1
    return waiting.values[(taken - 1) & (Self.mostWaiting - 1)]
  }

  /// The period at the newest mark, by which the sound repeats itself there; 0 without voice.
  /// Unlike the spacing of marks it holds no pull towards the energy.
  public var periodSamples: Double {
    @_noLocks get {
      period * (pitch.sample(ofHeardPosition: 1) - pitch.sample(ofHeardPosition: 0))
    }
  }

  /// How long before the middle of the newest period the sound lies that it was measured by, in periods.
  public var periodAge: Double { 0.5 - min(settings.lookAheadPeriods, 0.5) }

  /// How long after a mark within a voice it is given, in samples.
  @_noLocks public func waitSamples(period: Double) -> Double {
    let sampled = pitch.sample(ofHeardPosition: 1) - pitch.sample(ofHeardPosition: 0)
    let delay = -1 - pitch.sample(ofHeardPosition: -1) + 3 * sampled
    return delay + (settings.lookAheadPeriods + settings.widestChange) * period
  }

  /// Whether the voice is known by now to have a much shorter period: what is waited for is then the end of
  /// one that isn't there.
  @_noLocks private func isFarTooLong() -> Bool {
    guard settings.proofMs > 0, period > 0, pitch.latest.f0Hz > 0 else { return false }
    let expected = pitch.heardRateHz / pitch.latest.f0Hz
    let heard = Double(pitch.heard.count) - mark
    return expected < Self.farShorter * period && heard > expected * (1 + settings.widestChange)
      && !rings(expected)
  }

  /// Whether so short a period is what a formant rings at, which the next pulse breaks: it has to have come
  /// again for as long as the period that sounds. A voice that has only begun may have begun with a wrong one.
  @_noLocks private func rings(_ expected: Double) -> Bool {
    let proof = followers < 3 ? settings.proofMs / 1000 * pitch.heardRateHz : period
    return !holds(expected, for: proof)
  }

  /// Sets the next mark, for which enough has been heard.
  @_noLocks private mutating func advance() {
    let expected = pitch.latest.f0Hz > 0 ? pitch.heardRateHz / pitch.latest.f0Hz : 0
    if period > 0 {
      goOn(expected)
    } else if expected > 0 {
      begin(expected)
    } else {
      goOnWithoutVoice()
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

  /// The next mark, unless it is held back.
  @_noLocks private mutating func goOnWithoutVoice() {
    let enough = mark + step * (1 + settings.lookAheadPeriods) + 2 + heldBack
    guard heldBack == 0 || Double(pitch.heard.count) > enough else { return }
    give(mark + step, voiced: false)
  }

  /// The first mark of a voice: where the sound of a period is strongest.
  @_noLocks private mutating func begin(_ expected: Double) {
    let wait = settings.lookAheadPeriods * expected + 2
    let newest = Double(pitch.heard.count) - 1 - wait - expected
    let first = heldBack > 0 ? max(mark + shortest, newest) : mark + shortest
    let last = first + expected
    let enough = last + wait
    guard Double(pitch.heard.count) > enough else {
      awaited = enough
      return
    }
    guard holds(expected, for: settings.proofMs / 1000 * pitch.heardRateHz) else {
      return goOnWithoutVoice()
    }
    let place = energyPlace(first + expected / 2, expected)
    period = expected
    (doubts, followers) = (0, 0)
    give(place, voiced: true)
  }

  /// The mark a period after the last, or the end of the voice.
  @_noLocks private mutating func goOn(_ expected: Double) {
    let rings =
      settings.proofMs > 0 && expected > 0 && expected < Self.farShorter * period && rings(expected)
    // The pitch is a little old, so only a leap of it says that the lock is wrong.
    let leaps = expected > 0 && !rings && RealtimeMath.log2(expected / period).magnitude > 0.15
    let guess = leaps ? expected : period
    if settings.proofMs > 0, leaps, guess > period {
      // A longer one has to be the better one.
      let isBetter = likeness(guess, over: guess) > likeness(period, over: guess) + Self.margin
      guard let found = repetition(isBetter ? guess : period), found.correlation > 0.5 else {
        return end()
      }
      doubts = 0
      return give(voicedAfter: found.period)
    }
    guard let found = repetition(guess) else {
      if expected > 0, !rings { return give(voicedAfter: guess) }
      return end()
    }
    // Where neither comes again, there is no voice.
    if rings, found.correlation <= 0.5 { return end() }
    if expected > 0 {
      doubts = 0
    } else {
      doubts += 1
      if found.correlation < 0.8 || doubts > 3 { return end() }
    }
    // A bad match says little: then the pitch is the better measure.
    give(voicedAfter: found.correlation > 0.5 || expected == 0 ? found.period : guess)
  }

  @_noLocks private mutating func end() {
    period = 0
    give(mark + max(step, shortest), voiced: false)
  }

  @_noLocks private mutating func give(voicedAfter length: Double) {
    period = length
    let place = mark + length
    let away = energyPlace(place, length) - place
    let limit = 0.04 * length
    // At first towards the mean of the places so far: a voice that begins is loudest elsewhere.
    let share = max(settings.pull, 2 / Double(followers + 3))
    followers &+= 1
    let pulled = place + min(max(share * away, -limit), limit)
    give(max(pulled, mark + shortest), voiced: true)
  }

  @_noLocks private mutating func give(_ place: Double, voiced: Bool) {
    let factor = pitch.sample(ofHeardPosition: 1) - pitch.sample(ofHeardPosition: 0)
    waiting.values[given & (Self.mostWaiting - 1)] = Epoch(
      timeSamples: pitch.sample(ofHeardPosition: place), spacingSamples: (place - mark) * factor,
      isVoiced: voiced)
    given &+= 1
    mark = place
  }

  /// Correlation of the newest `span` samples with those a period earlier.
  @_noLocks private func likeness(_ period: Double, over span: Double) -> Float {
    let (count, lag) = (Int(span + 0.5), Int(period + 0.5))
    let start = pitch.heard.count - count
    guard start - lag > pitch.heard.oldest else { return 0 }
    return pitch.heard.correlation(start - lag, start, count: count)
  }

  /// Whether the newest sound, so much of it, came again and again a period later.
  @_noLocks private func holds(_ period: Double, for span: Double) -> Bool {
    let count = Int(period + 0.5)
    let newest = pitch.heard.count - count
    var start = newest
    while span > 0, Double(newest - start) < span {
      start -= count
      guard start > pitch.heard.oldest,
        pitch.heard.correlation(start, start + count, count: count) > Self.heldCorrelation
      else { return false }
    }
    return true
  }

  /// A shift at which the sound around the last mark comes again.
  private struct Repetition: BitwiseCopyable {
    var period: Double
    var correlation: Double
  }

  /// That near `guess`: uphill from it, or where nothing fits there, the best far and wide.
  @_noLocks private func repetition(_ guess: Double) -> Repetition? {
    let count = Int(guess + 0.5)
    let after = min(settings.lookAheadPeriods, 0.5) * guess
    let start = Int(mark + after) - count
    // As far as has been heard.
    let longest = pitch.heard.count - 2 - start - count
    guard start > pitch.heard.oldest, longest > count else { return nil }
    let near = climb(from: count, to: Int(settings.widestChange * guess) + 1, start, longest)
    if let near, near.correlation > Self.goodCorrelation { return finer(near, start, count) }
    let widest = Int(Self.widestLeap * guess) + 1
    let lags = max(Int(shortest), count - widest)...min(count + widest, longest)
    let other = best(of: lags, start, count)
    guard let near else { return other }
    if let other, other.correlation > near.correlation + 0.1 { return other }
    return near
  }

  /// Between samples, where the sound does come again.
  @_noLocks private func finer(_ found: Repetition, _ start: Int, _ count: Int) -> Repetition {
    let whole = Int(found.period)
    guard start + whole + count + 3 <= pitch.heard.count else { return found }
    let rest = pitch.heard.finerLag(
      start, start + whole, guess: found.period - Double(whole), count: count)
    return Repetition(period: Double(whole) + rest, correlation: found.correlation)
  }

  /// Uphill from the lag `count`, which also counts the samples compared, by at most `widest`.
  @_noLocks private func climb(
    from count: Int, to widest: Int, _ start: Int, _ longest: Int
  ) -> Repetition? {
    var lag = count
    var here = pitch.heard.correlation(start, start + lag, count: count)
    var below = pitch.heard.correlation(start, start + lag - 1, count: count)
    var above = pitch.heard.correlation(start, start + lag + 1, count: count)
    while below > here || above > here {
      let step = below > above ? -1 : 1
      lag += step
      guard abs(lag - count) < widest, lag < longest, lag > Int(shortest) else { return nil }
      let next = pitch.heard.correlation(start, start + lag + step, count: count)
      (below, here, above) = step < 0 ? (next, below, here) : (here, above, next)
    }
    return top(lag, below, here, above)
  }

  @_noLocks private func best(
    of lags: ClosedRange<Int>, _ start: Int, _ count: Int
  ) -> Repetition? {
    var (best, at) = (Float(Self.goodCorrelation), lags.lowerBound)
    for lag in lags {
      let value = pitch.heard.correlation(start, start + lag, count: count)
      if value > best { (best, at) = (value, lag) }
    }
    guard at > lags.lowerBound, at < lags.upperBound else { return nil }
    let below = pitch.heard.correlation(start, start + at - 1, count: count)
    let above = pitch.heard.correlation(start, start + at + 1, count: count)
    return top(at, below, best, above)
  }

  /// Of the parabola through three neighbours.
  @_noLocks private func top(
    _ lag: Int, _ below: Float, _ here: Float, _ above: Float
  ) -> Repetition? {
    let curvature = below - 2 * here + above
    guard curvature < 0 else { return nil }
    return Repetition(
      period: Double(lag) + Double((below - above) / (2 * curvature)), correlation: Double(here))
  }

  /// Where in the period around `place` a mark belongs: a tenth of a period before the energy's
  /// middle, which is that of its first harmonic.
  @_noLocks private func energyPlace(_ place: Double, _ length: Double) -> Double {
    let count = Int(length + 0.5)
    let after = min(settings.lookAheadPeriods, 0.5) * length
    let start = Int(place + after) - count
    guard start > pitch.heard.oldest, start + count <= pitch.heard.count else { return place }
    var (re, im) = (0.0, 0.0)
    let turn = 2 * Double.pi / Double(count)
    let (c, s) = (RealtimeMath.cosine(turn), RealtimeMath.sine(turn))
    var (x, y) = (1.0, 0.0)
    for n in 0..<count {
      let sample = Double(pitch.heard[start + n])
      re += sample * sample * x
      im += sample * sample * y
      (x, y) = (x * c - y * s, y * c + x * s)
    }
    guard re * re + im * im > 1e-24 else { return place }
    let middle = Double(start) + RealtimeMath.angle(im, re) / turn - 0.1 * length
    // The nearest of the places a period apart.
    let turns = (middle - place) / length
    let whole = Double(Int(turns + (turns < 0 ? -0.5 : 0.5)))
    return middle - whole * length
  }
}

extension Epoch {
  static var none: Epoch {
    @_noLocks get { Epoch(timeSamples: 0, spacingSamples: 0, isVoiced: false) }
  }
}
