import DSP
import Foundation

/// Finds the pitch of a voice in real time, with a stated look-ahead.
///
/// It decides as `PitchTracker` does, on the sound so far. Each hop proposes periods, from the newest one
/// and a half periods and from the newest 42 ms. `CandidateEvidence` and a network rate them, a short
/// search follows them, and `CausalVoicing` decides on voicing. The chosen period is then measured again
/// around the instant that the estimate describes. Estimates are final.
///
/// - Input: mono, 8 to 192 kHz, in blocks of any size, which don't change the output. Samples that
///   are not finite count as silence.
/// - Cost: about 0.003 of real time on one core at 48 kHz. Allocates in `init` only.
/// - Source: Talkin, "A robust algorithm for pitch tracking (RAPT)", in "Speech Coding and
///   Synthesis", 1995, for the correlation with the past and the search; `PitchTracker` for the rest.
public struct StreamingPitchTracker: ~Copyable {
  /// Settings of the tracker.
  public struct Settings: Codable, Equatable, Sendable {
    public var floorHz = 50.0
    public var ceilingHz = 2000.0
    /// Delay of the estimates: with about one and a half periods of the lowest expected note they
    /// are nearly as good as those of `PitchTracker`.
    public var lookAheadMs = 20.0
    /// Time between estimates, rounded to samples of the inner rate.
    public var hopMs = 5.0
    /// Minimum probability of a voice where there is a pitch.
    public var voicingThreshold = 0.5
    /// Cost of a jump by an octave within 10 ms, in log odds.
    public var octaveJumpCost = 3.0
    /// True if what a room leaves of a voice that has ended is no voice.
    public var leavesOutTails = true

    public init() {}

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...2000)
      try require("lookAheadMs", lookAheadMs, in: 0...60)
      try require("hopMs", hopMs, in: 1...20)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...100)
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
  private var room: CausalRoom
  private var voicing: CausalVoicing
  private let refiner: CausalRefiner?
  /// The sound in which periods are measured.
  private(set) var heard: HistoryBuffer
  /// The newest estimate.
  private(set) var latest = PitchEstimate.none
  private var waiting: RealtimeQueue<PitchEstimate>
  private var hopCount = 0  // samples of the inner rate since the last estimate
  private let innerHop: Int
  private let hopShare: Double  // length of a hop in units of 10 ms, to which strengths refer
  private var consumed = 0  // samples of the input

  public init(_ settings: Settings = Settings(), sampleRateHz: Double) throws(SettingsError) {
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
    finder = PeriodCandidates(
      floorHz: settings.floorHz, ceilingHz: settings.ceilingHz, rateHz: sound.slowRateHz,
      hopSamples: innerHop)
    let hopMs = Double(hopSamples) / sampleRateHz * 1000
    hopShare = hopMs / 10
    beam = PitchBeam(
      depth: Int((settings.lookAheadMs + 80) / hopMs) + 2,
      octaveJumpCost: settings.octaveJumpCost)
    room = CausalRoom(
      isDry: !settings.leavesOutTails, hopSeconds: hopMs / 1000, spectrum: finder.spectrum)
    voicing = CausalVoicing(
      lookAheadSeconds: Double(lookAheadSamples) / sampleRateHz, hopSeconds: hopMs / 1000)
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
    room.reset()
    voicing.reset()
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
    voicing.begin(power: finder.power)
    finder.find(aboveQuietDb: voicing.aboveQuietDb)
    room.hear(finder.spectrum)
    beam.open()
    for i in 0..<finder.count { beam.add(state(i)) }
    if finder.count == 0 { beam.add(.none) }
    beam.close()
    voicing.end(beam.best, room.values)
  }

  /// A candidate of the newest hop.
  @_noLocks private func state(_ index: Int) -> PitchBeam.State {
    let own = finder.candidate(index)
    var state = PitchBeam.State.none
    state.f0Hz = sound.slowRateHz / own.lag
    let age = finder.age(atLag: own.lag) * Double(sound.slowFactor)
    state.timeSamples = Double(consumed) - 1 - sound.slowDelaySamples - age
    state.score = own.strength * hopShare
    state.odds = own.odds
    state.correlation = own.correlation
    state.near = own.near
    let start = index * CandidateEvidence.valueCount
    state.persistence = Double(finder.evidence.values[start + 2])
    state.log2F0 = Double(finder.evidence.values[start + 3]) + Self.octavesOf200Hz
    state.harmonics = SIMD4(
      finder.evidence.values[start + 6], finder.evidence.values[start + 10],
      finder.evidence.values[start + 12], 0)
    return state
  }

  private static var octavesOf200Hz: Double { @_noLocks get { 7.643_856_189_774_724 } }

  @_noLocks private mutating func estimate() -> PitchEstimate {
    let time = consumed - lookAheadSamples
    var result = PitchEstimate(
      timeSamples: time, ageSamples: lookAheadSamples, f0Hz: 0, voicing: 0, uncertaintyCents: 0)
    let past = Self.doubtSeconds * sampleRateHz
    guard let answer = beam.answer(at: Double(time), past: past) else { return result }
    let nearest = answer.state
    let odds = voicing.logOdds(nearest)
    result.voicing = 1 / (1 + RealtimeMath.exp(-min(max(odds, -50), 50)))
    guard nearest.f0Hz > 0, result.voicing > settings.voicingThreshold else { return result }
    result.f0Hz = nearest.f0Hz
    let against = answer.odds * Self.doubtWeight * hopShare
    result.uncertaintyCents =
      1200 * RealtimeMath.root(1 / (1 + RealtimeMath.exp(min(max(against, -50), 50))))
    if let period = refiner?.period(
      near: sound.quickRateHz / nearest.f0Hz, at: analysisPosition(ofSample: Double(time)),
      in: heard)
    {
      result.f0Hz = sound.quickRateHz / period.samples
    }
    return result
  }

  /// Time before an instant in which other candidates cast doubt on its pitch, and the weight of their log
  /// odds in 10 ms; as in `PitchTracker`.
  private static var doubtSeconds: Double { @_noLocks get { 0.030 } }
  private static var doubtWeight: Double { @_noLocks get { 0.35 } }

  /// Age in seconds, pitch, and values of `CandidateEvidence` of each candidate of the newest hop.
  var periodEvidence: [[Float]] {
    (0..<finder.count).map { i in
      let own = finder.candidate(i)
      let age =
        finder.age(atLag: own.lag) / sound.slowRateHz + sound.slowDelaySamples / sampleRateHz
      let start = i * CandidateEvidence.valueCount
      return [Float(age), Float(sound.slowRateHz / own.lag)]
        + (start..<start + CandidateEvidence.valueCount).map { finder.evidence.values[$0] }
    }
  }

  /// Values of `CausalVoicing` of the newest estimate, after the log odds of its logistic model.
  var voicingEvidence: [Float] {
    [Float(voicing.basicLogOdds)] + (0..<CausalVoicing.valueCount).map { voicing.values[$0] }
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
