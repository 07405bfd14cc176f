import Foundation

/// Chooses one candidate, or silence, for each frame so that strengths less the costs of change
/// add up to the most (Viterbi).
struct PitchPath {
  private let settings: PitchTracker.Settings

  init(_ settings: PitchTracker.Settings) { self.settings = settings }

  /// One state a frame may be in: a pitch, or 0 for none, and the best way to get there.
  private struct State {
    var f0Hz: Double
    var log2F0: Double
    var score: Double
    var previous = 0
  }

  /// Hertz for each frame, 0 for no voice.
  func cheapest(through frames: [PitchFrame]) -> [Double] {
    guard !frames.isEmpty else { return [] }
    let perHop = 10 / settings.hopMs
    var lattice: [[State]] = []
    lattice.reserveCapacity(frames.count)
    for frame in frames {
      var states = self.states(of: frame)
      if let before = lattice.last {
        for s in states.indices {
          var (best, from) = (-Double.infinity, 0)
          for (p, earlier) in before.enumerated() {
            let score = earlier.score - perHop * cost(earlier, states[s])
            if score > best { (best, from) = (score, p) }
          }
          states[s].score += best
          states[s].previous = from
        }
      }
      lattice.append(states)
    }
    var path = [Double](repeating: 0, count: frames.count)
    var at = lattice.last!.indices.max { lattice.last![$0].score < lattice.last![$1].score }!
    for i in lattice.indices.reversed() {
      path[i] = lattice[i][at].f0Hz
      at = lattice[i][at].previous
    }
    return path
  }

  private func states(of frame: PitchFrame) -> [State] {
    let audible = frame.relativePeak / (settings.silenceThreshold / (1 + settings.voicingThreshold))
    let none = settings.voicingThreshold + max(0, 2 - audible)
    return [State(f0Hz: 0, log2F0: 0, score: none)]
      + frame.candidates.map { candidate in
        let octaves = log2(candidate.f0Hz / settings.floorHz)
        return State(
          f0Hz: candidate.f0Hz, log2F0: log2(candidate.f0Hz),
          score: candidate.correlation + settings.octaveCost * octaves)
      }
  }

  private func cost(_ a: State, _ b: State) -> Double {
    switch (a.f0Hz > 0, b.f0Hz > 0) {
    case (false, false): 0
    case (true, true): settings.octaveJumpCost * abs(a.log2F0 - b.log2F0)
    default: settings.voicingChangeCost
    }
  }
}
