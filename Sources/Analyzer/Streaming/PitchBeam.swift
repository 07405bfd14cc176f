import DSP
import Foundation

/// Follows several pitches through the latest frames and finds, at any depth, the one that the
/// sound so far supports best (a Viterbi search with limited memory).
struct PitchBeam: ~Copyable {
  /// Maximum number of candidates in a frame, including silence, the first.
  static var width: Int { @_noLocks get { 8 } }

  /// One candidate of a frame.
  struct State: BitwiseCopyable {
    /// Frequency; 0 for silence.
    var f0Hz: Double
    var log2F0: Double
    /// Correlation of the sound one period apart.
    var correlation: Double
    /// Position in samples of the input.
    var timeSamples: Double
    /// Score of the candidate; after `close`, of the best path to it.
    var score: Double
    /// Index of the previous candidate on that path.
    var previous = 0

    @_noLocks init(
      f0Hz: Double, log2F0: Double, correlation: Double, timeSamples: Double, score: Double
    ) {
      self.f0Hz = f0Hz
      self.log2F0 = log2F0
      self.correlation = correlation
      self.timeSamples = timeSamples
      self.score = score
    }

    static var none: State {
      @_noLocks get { State(f0Hz: 0, log2F0: 0, correlation: 0, timeSamples: 0, score: 0) }
    }
  }

  private let depth: Int  // frames remembered, a power of two
  private let octaveJumpCost: Double
  private let voicingChangeCost: Double
  private var states: RealtimeArray<State>
  private var counts: RealtimeArray<Int>
  private(set) var newest = 0  // frames so far

  /// - Parameter depth: maximum number of frames that a path can be traced back.
  init(depth: Int, octaveJumpCost: Double, voicingChangeCost: Double) {
    self.depth = powerOfTwo(above: depth)
    self.octaveJumpCost = octaveJumpCost
    self.voicingChangeCost = voicingChangeCost
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

  /// Returns the last candidate of the best path at or before `timeSamples`, and the next one.
  @_noLocks func states(around timeSamples: Double) -> (State, State)? {
    guard newest > 0 else { return nil }
    var frame = newest & (depth - 1)
    var at = 0
    for s in 1..<max(counts[frame], 1)
    where states[frame * Self.width + s].score > states[frame * Self.width + at].score { at = s }
    var later = states[frame * Self.width + at]
    var state = later
    for _ in 1..<min(newest, depth - 1) {
      if state.timeSamples <= timeSamples { break }
      later = state
      let previous = state.previous
      frame = (frame &- 1) & (depth - 1)
      state = states[frame * Self.width + previous]
    }
    return (state, later)
  }

  @_noLocks private func cost(_ a: State, _ b: State) -> Double {
    if (a.f0Hz > 0) != (b.f0Hz > 0) { return voicingChangeCost }
    return octaveJumpCost * (a.log2F0 - b.log2F0).magnitude
  }
}
