import DSP
import Foundation

/// Follows several pitches through the latest frames and finds, at any depth, the one that the
/// sound so far supports best (a Viterbi search with limited memory).
struct PitchBeam: ~Copyable {
  /// Maximum number of candidates in a frame.
  static var width: Int { @_noLocks get { PeriodCandidates.maxCount } }

  /// One candidate of a frame.
  struct State: BitwiseCopyable {
    /// Frequency; 0 if nothing repeats.
    var f0Hz = 0.0
    var log2F0 = 0.0
    /// Position in samples of the input.
    var timeSamples = 0.0
    /// Score of the candidate; after `close`, of the best path to it.
    var score = 0.0
    /// Log odds of the candidate against all others of its frame.
    var odds = 0.0
    /// Correlations of `PeriodCandidates.Candidate`.
    var correlation = 0.0
    var near = 0.0
    var persistence = 0.0
    /// Values of `CandidateEvidence` that bear on voicing: harmonics among what lies between them, in the
    /// whole power, and the same of amplitudes.
    var harmonics = SIMD4<Float>(repeating: CandidateEvidence.minLog)
    /// Index of the previous candidate on that path.
    var previous = 0

    static var none: State { @_noLocks get { State() } }
  }

  private let depth: Int  // frames remembered, a power of two
  private let octaveJumpCost: Double
  private var states: RealtimeArray<State>
  private var counts: RealtimeArray<Int>
  private(set) var newest = 0  // frames so far

  /// - Parameter depth: maximum number of frames that a path can be traced back.
  init(depth: Int, octaveJumpCost: Double) {
    self.depth = powerOfTwo(above: depth)
    self.octaveJumpCost = octaveJumpCost
    states = RealtimeArray(repeating: .none, count: self.depth * Self.width)
    counts = RealtimeArray(repeating: 0, count: self.depth)
  }

  @_noLocks mutating func reset() {
    for frame in 0..<depth { counts[frame] = 0 }
    newest = 0
  }

  /// Starts a frame.
  @_noLocks mutating func open() {
    newest &+= 1
    counts[newest & (depth - 1)] = 0
  }

  @_noLocks mutating func add(_ state: State) {
    let frame = newest & (depth - 1)
    let count = counts[frame]
    guard count < Self.width else { return }
    states[frame * Self.width + count] = state
    counts[frame] = count + 1
  }

  /// Ends a frame: finds the best path to each of its candidates.
  @_noLocks mutating func close() {
    let (frame, before) = (newest & (depth - 1), (newest &- 1) & (depth - 1))
    var best = -Double.greatestFiniteMagnitude
    for s in 0..<counts[frame] {
      var state = states[frame * Self.width + s]
      var (from, most) = (0, counts[before] == 0 ? 0 : -Double.greatestFiniteMagnitude)
      for p in 0..<counts[before] {
        let earlier = states[before * Self.width + p]
        let score = earlier.score - cost(earlier, state)
        if score > most { (from, most) = (p, score) }
      }
      state.score += most
      state.previous = from
      best = max(best, state.score)
      states[frame * Self.width + s] = state
    }
    for s in 0..<counts[frame] { states[frame * Self.width + s].score -= best }
  }

  /// A part of the best path.
  struct Trace: BitwiseCopyable {
    /// Its last candidate at or before an instant, and the next one.
    var before: State
    var after: State
    /// Sum of the log odds of its candidates from some time before the instant on.
    var odds: Double
  }

  /// Returns the best path around an instant; `nil` before the first frame.
  ///
  /// - Parameter past: time before the instant from which log odds are added up, in samples.
  @_noLocks func trace(around timeSamples: Double, past: Double) -> Trace? {
    guard newest > 0 else { return nil }
    var state = best
    var (trace, isPast) = (Trace(before: state, after: state, odds: state.odds), false)
    var frame = newest & (depth - 1)
    for _ in 1..<min(newest, depth - 1) {
      isPast = isPast || state.timeSamples <= timeSamples
      if isPast, state.timeSamples <= timeSamples - past { break }
      let previous = state.previous
      frame = (frame &- 1) & (depth - 1)
      state = states[frame * Self.width + previous]
      trace.odds += state.odds
      guard !isPast else { continue }
      (trace.before, trace.after) = (state, trace.before)
    }
    return trace
  }

  /// The end of the best path so far.
  var best: State {
    @_noLocks get {
      let first = (newest & (depth - 1)) * Self.width
      var at = first
      for s in first..<first + max(counts[newest & (depth - 1)], 1)
      where states[s].score > states[at].score { at = s }
      return states[at]
    }
  }

  @_noLocks private func cost(_ a: State, _ b: State) -> Double {
    if a.f0Hz == 0 || b.f0Hz == 0 { return 0 }
    return octaveJumpCost * min((a.log2F0 - b.log2F0).magnitude, 1)
  }
}
