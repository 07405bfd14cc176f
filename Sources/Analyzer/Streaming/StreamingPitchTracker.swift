import DSP
import Foundation

/// Finds the pitch of a voice in real time, with a stated look-ahead.
///
/// Sound is correlated with its past at every lag as it arrives. Each hop proposes a few periods,
/// each from about two of its own length. A short search follows them and chooses the one that the
/// sound so far supports best. Its period is then measured again around the instant that the
/// estimate describes. Estimates are final.
///
/// - Input: mono, 8 to 192 kHz, in blocks of any size, which don't change the output. Samples that
///   are not finite count as silence.
/// - Cost: about 0.001 of real time on one core at 48 kHz, evenly spread. Allocates in `init` only.
/// - Source: Talkin, "A robust algorithm for pitch tracking (RAPT)", in "Speech Coding and
///   Synthesis", 1995, for the normalized correlation and the search; the windows of two periods,
///   the depth of the search and the measurement around the instant are ours.
public struct StreamingPitchTracker: ~Copyable {
  /// Settings of the tracker. Strengths and costs are in units of correlation.
  public struct Settings: Codable, Equatable, Sendable {
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    /// Delay of the estimates: with about one and a half periods of the lowest expected note they
    /// are nearly as good as those of `PitchTracker`.
    public var lookAheadMs = 20.0
    /// Time between estimates, rounded to samples of the inner rate.
    public var hopMs = 2.5
    /// Minimum correlation of a voiced frame.
    public var voicingThreshold = 0.5
    /// Level relative to the loudest of the last seconds below which sound counts as silence.
    public var silenceThreshold = 0.02
    /// Preference for a candidate an octave higher.
    public var octaveCost = 0.06
    /// Cost of a jump by an octave within 10 ms.
    public var octaveJumpCost = 0.3
    /// Cost of a change between voiced and unvoiced within 10 ms.
    public var voicingChangeCost = 0.08
    /// Length of the stretch that proposes a period, in periods, at least `shortestMs`.
    public var periods = 1.5
    public var shortestMs = 18.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...1600)
      try require("lookAheadMs", lookAheadMs, in: 0...60)
      try require("hopMs", hopMs, in: 1...20)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("silenceThreshold", silenceThreshold, in: 0...1)
      try require("octaveCost", octaveCost, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...10)
      try require("voicingChangeCost", voicingChangeCost, in: 0...10)
      try require("periods", periods, in: 0.5...4)
      try require("shortestMs", shortestMs, in: 2...50)
    }
  }

  public let settings: Settings
  public let sampleRateHz: Double
  /// Delay of each estimate.
  public let lookAheadSamples: Int
  /// Distance between estimates.
  public let hopSamples: Int
  /// Capacity of the queue; with more estimates in one block the oldest are lost.
  public static var maxWaiting: Int { @_noLocks get { 1024 } }

  private var sound: PitchFront
  private var finder: PeriodCandidates
  private var beam: PitchBeam
  private let refiner: CausalRefiner?
  /// The sound in which periods are measured.
  private(set) var heard: HistoryBuffer
  /// The newest estimate.
  private(set) var latest = PitchEstimate.none
  private var waiting: RealtimeQueue<PitchEstimate>
  private var hopCount = 0  // samples of the inner rate since the last estimate
  private let innerHop: Int
  private var consumed = 0  // samples of the input

  public init(
    _ settings: Settings = Settings(), sampleRateHz: Double
  ) throws(SettingsError) {
    try self.init(settings, sampleRateHz: sampleRateHz, refined: true)
  }

  /// - Parameter refined: measures periods again around the instant; a caller that does so itself
  ///   saves a third of the cost.
  init(_ settings: Settings, sampleRateHz: Double, refined: Bool) throws(SettingsError) {
    try settings.validate()
    try require("sampleRateHz", sampleRateHz, in: 8_000...192_000)
    self.settings = settings
    self.sampleRateHz = sampleRateHz
    sound = PitchFront(sampleRateHz: sampleRateHz)
    lookAheadSamples = Int((settings.lookAheadMs / 1000 * sampleRateHz).rounded())
    innerHop = max(1, Int((settings.hopMs / 1000 * sound.slowRateHz).rounded()))
    hopSamples = innerHop * sound.slowFactor
    finder = PeriodCandidates(settings, rateHz: sound.slowRateHz, hopSamples: innerHop)
    let hopMs = Double(hopSamples) / sampleRateHz * 1000
    beam = PitchBeam(
      depth: Int((settings.lookAheadMs + 80) / hopMs) + 2,
      octaveJumpCost: settings.octaveJumpCost * 10 / hopMs,
      voicingChangeCost: settings.voicingChangeCost * 10 / hopMs)
    let longest = settings.lookAheadMs / 1000 + 8 / settings.floorHz
    refiner = refined ? CausalRefiner(minReach: 0.012 * sound.quickRateHz) : nil
    heard = HistoryBuffer(longest: Int(longest * sound.quickRateHz), window: nil)
    waiting = RealtimeQueue(room: Self.maxWaiting, filling: .none)
  }

  /// Forgets the past, as if just created.
  @_noLocks public mutating func reset() {
    sound.reset()
    finder.reset()
    beam.reset()
    heard.reset()
    latest = .none
    waiting.removeAll()
    hopCount = 0
    consumed = 0
  }

  /// Processes a block of sound and queues its estimates for `next`.
  @_noLocks public mutating func process(_ block: Span<Float>) {
    let count = block.count
    process(block, 0..<count)
  }

  /// Processes the samples `range` of a block.
  @_noLocks public mutating func process(_ block: Span<Float>, _ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = hear(block, start..<range.upperBound)
      for _ in start..<end { take() }
      start = end
    }
  }

  /// Removes and returns the oldest queued estimate; `nil` if there is none.
  @_noLocks public mutating func next() -> PitchEstimate? { waiting.pop() }

  /// Buffers as many samples of a block as fit for `take`; returns the index after the last.
  @_noLocks mutating func hear(_ block: Span<Float>, _ range: Range<Int>) -> Int {
    sound.hear(block, range)
  }

  /// Processes one buffered sample; returns true if there is a new estimate.
  @_noLocks @discardableResult mutating func take() -> Bool {
    consumed &+= 1
    guard let quick = sound.quicken() else { return false }
    heard.push(quick)
    guard let slow = sound.slow(quick) else { return false }
    finder.add(slow)
    hopCount += 1
    guard hopCount == innerHop else { return false }
    hopCount = 0
    propose()
    latest = estimate()
    waiting.push(latest)
    return true
  }

  /// Adds the candidates of the newest hop to the search.
  @_noLocks private mutating func propose() {
    finder.close()
    beam.open()
    let now = Double(consumed) - 1 - sound.slowDelaySamples
    let scale = Double(sound.slowFactor)
    beam.add(finder.silence(nowSamples: now, scale: scale))
    for i in 0..<finder.count { beam.add(finder.state(i, nowSamples: now, scale: scale)) }
    beam.close()
  }

  @_noLocks private func estimate() -> PitchEstimate {
    let time = consumed - lookAheadSamples
    var result = PitchEstimate(
      timeSamples: time, ageSamples: lookAheadSamples, f0Hz: 0, voicing: finder.strongest)
    guard let (before, after) = beam.states(around: Double(time)) else { return result }
    let whole = after.timeSamples - before.timeSamples
    let share = whole > 0 ? min(max((Double(time) - before.timeSamples) / whole, 0), 1) : 0
    // At an edge of voice prefer the voiced side: a late note is better than a missing one.
    let nearest = after.f0Hz == 0 || (share < 0.5 && before.f0Hz > 0) ? before : after
    guard nearest.f0Hz > 0 else { return result }
    result.voicing = nearest.correlation
    result.f0Hz = nearest.f0Hz
    let wanted = analysisPosition(ofSample: Double(time))
    if let period = refiner?.period(
      near: sound.quickRateHz / nearest.f0Hz, at: wanted, in: heard)
    {
      result.f0Hz = sound.quickRateHz / period.samples
    }
    return result
  }

  /// Returns the correlation of 5 ms of sound around an instant with those a period before or after,
  /// whichever is greater. Sound still to come moves the stretch back, at most by its length.
  @_noLocks public func repetition(of period: Double, atSample time: Double) -> Double {
    let lag = Int(period / Double(sound.quickFactor) + 0.5)
    let span = Int(0.005 * sound.quickRateHz)
    let middle = Int(analysisPosition(ofSample: time) + 0.5)
    let start = min(middle - span / 2, heard.count - span)
    guard lag > 0, start - lag > heard.oldest else { return 0 }
    let before = heard.correlation(start - lag, start, count: span)
    let other = min(start, heard.count - lag - span)
    guard start - other <= span else { return Double(before) }
    return Double(max(before, heard.correlation(other, other + lag, count: span)))
  }

  /// Converts a position in input samples to a position in `heard`.
  @_noLocks func analysisPosition(ofSample sample: Double) -> Double {
    (sample + sound.quickDelaySamples + 1) / Double(sound.quickFactor) - 1
  }

  /// Converts a position in `heard` to a position in input samples.
  @_noLocks func sample(ofAnalysisPosition position: Double) -> Double {
    (position + 1) * Double(sound.quickFactor) - 1 - sound.quickDelaySamples
  }

  /// Sample rate of `heard`.
  var analysisRateHz: Double { @_noLocks get { sound.quickRateHz } }
}
