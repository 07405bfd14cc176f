import Foundation

/// Chooses one candidate for each frame that has any, so that strengths less the costs of jumps
/// add up to the most (Viterbi). Whether there is a voice is not asked here.
struct PitchPath {
  private let settings: PitchTracker.Settings

  init(_ settings: PitchTracker.Settings) { self.settings = settings }

  /// One candidate and the best way to get there.
  private struct State {
    var log2F0: Double
    var score: Double
    var previous = 0
  }

  /// The index of the chosen candidate of each frame; `nil` where there is none.
  func chosen(from frames: [PitchFrame], hopSeconds: Double) -> [Int?] {
    var lattice: [[State]] = []
    lattice.reserveCapacity(frames.count)
    var before: [State] = []
    var gapFrames = 1.0
    for frame in frames {
      var states = frame.candidates.map { candidate in
        let octaves = log2(candidate.f0Hz)
        return State(
          log2F0: octaves, score: candidate.strength + settings.octaveCost * octaves)
      }
      if states.isEmpty {
        gapFrames += 1
      } else {
        // A jump costs the less the more time there is for it.
        let cost = settings.octaveJumpCost * 0.010 / (hopSeconds * gapFrames)
        for s in states.indices where !before.isEmpty {
          var (best, from) = (-Double.infinity, 0)
          for (p, earlier) in before.enumerated() {
            let jump = min(abs(earlier.log2F0 - states[s].log2F0), 1)
            let score = earlier.score - cost * jump
            if score > best { (best, from) = (score, p) }
          }
          states[s].score += best
          states[s].previous = from
        }
        before = states
        gapFrames = 1
      }
      lattice.append(states)
    }
    var path = [Int?](repeating: nil, count: frames.count)
    guard var at = before.indices.max(by: { before[$0].score < before[$1].score }) else {
      return path
    }
    for i in lattice.indices.reversed() where !lattice[i].isEmpty {
      path[i] = at
      at = lattice[i][at].previous
    }
    return path
  }
}
