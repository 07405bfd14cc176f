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

  /// Answer of the best path for an instant.
  struct Answer: BitwiseCopyable {
    /// The nearest candidate; of two neighbours one with a pitch.
    var state: State
    /// Sum of the log odds of the candidates that it follows without a leap, and of those that follow it.
    var odds: Double
  }

  /// Returns what the best path says about an instant; `nil` before the first frame.
  ///
  /// - Parameter past: time before the instant from which log odds are added up, in samples.
  @_noLocks func answer(at timeSamples: Double, past: Double) -> Answer? {
    guard newest > 0 else { return nil }
    var state = best
    var answer = Answer(state: state, odds: state.odds)
    var frame = newest & (depth - 1)
    for _ in 1..<min(newest, depth - 1) {
      guard state.timeSamples > timeSamples - past else { break }
      let later = state
      frame = (frame &- 1) & (depth - 1)
      state = states[frame * Self.width + later.previous]
      let isNearer = Self.isNearer(state, than: later, to: timeSamples)
      if (state.log2F0 - later.log2F0).magnitude > PitchTracker.leapOctaves {
        guard isNearer else { break }
        answer.odds = 0
      }
      answer.odds += state.odds
      if isNearer { answer.state = state }
    }
    return answer
  }

  /// True if the earlier of two neighbours is nearer to an instant.
  @_noLocks private static func isNearer(
    _ earlier: State, than later: State, to timeSamples: Double
  ) -> Bool {
    guard later.timeSamples > timeSamples else { return false }
    guard earlier.timeSamples <= timeSamples else { return true }
    guard later.f0Hz > 0 else { return true }
    return earlier.f0Hz > 0
      && 2 * timeSamples < earlier.timeSamples + later.timeSamples
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
