import Foundation

/// Chooses one candidate for each frame that has any, so that strengths less the costs of jumps
/// add up to the most (Viterbi). Whether there is a voice is not asked here.
///
/// Frames are taken one after the other, and a choice is given as soon as no later frame can change
/// it: when all paths that may still win have it in common. So a long sound's frames need not wait
/// for its end, and the choices are those of a search through the whole.
struct PitchPath {
  private let settings: PitchTracker.Settings
  private let hopSeconds: Double
  /// The best ways to the candidates of the last frame that had any.
  private var ends: [End] = []
  private var gapFrames = 1.0
  /// Of each frame not settled yet, where the best way to each candidate comes from.
  private var origins: [[UInt8]] = []

  init(_ settings: PitchTracker.Settings, hopSeconds: Double) {
    self.settings = settings
    self.hopSeconds = hopSeconds
  }

  private struct End {
    var log2F0: Double
    var score: Double
  }

  mutating func take(_ frame: PitchFrame) {
    guard !frame.candidates.isEmpty else {
      gapFrames += 1
      origins.append([])
      return
    }
    // A jump costs the less the more time there is for it.
    let cost = settings.octaveJumpCost * 0.010 / (hopSeconds * gapFrames)
    var came = [UInt8](repeating: 0, count: frame.candidates.count)
    let next = frame.candidates.indices.map { index -> End in
      let candidate = frame.candidates[index]
      let octaves = log2(candidate.f0Hz)
      var end = End(
        log2F0: octaves, score: candidate.strength + settings.octaveCost * octaves)
      guard !ends.isEmpty else { return end }
      var best = -Double.infinity
      for (place, earlier) in ends.enumerated() {
        let score = earlier.score - cost * min(abs(earlier.log2F0 - octaves), 1)
        if score > best { (best, came[index]) = (score, UInt8(place)) }
      }
      end.score += best
      return end
    }
    ends = next
    gapFrames = 1
    origins.append(came)
  }

  /// The choices that no later frame can change, of the frames taken since the last such answer:
  /// an index of a candidate, or `nil` where there is none.
  ///
  /// - Parameter isEnd: no frames follow, so that every choice is settled.
  mutating func settled(isEnd: Bool) -> [Int?] {
    var alive = Array(ends.indices)
    if isEnd, let best = ends.indices.max(by: { ends[$0].score < ends[$1].score }) {
      alive = [best]
    }
    var (settledCount, at) = (alive.count > 1 ? 0 : origins.count, alive.first)
    for frame in origins.indices.reversed() where alive.count > 1 && !origins[frame].isEmpty {
      alive = Set(alive.map { Int(origins[frame][$0]) }).sorted()
      if alive.count == 1 { (settledCount, at) = (frame, alive[0]) }
    }
    var choices = [Int?](repeating: nil, count: settledCount)
    for frame in choices.indices.reversed() where !origins[frame].isEmpty {
      guard let choice = at else { break }
      choices[frame] = choice
      at = Int(origins[frame][choice])
    }
    origins.removeFirst(settledCount)
    return choices
  }
}
