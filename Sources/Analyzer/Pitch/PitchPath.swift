import Foundation

/// Chooses one candidate in each frame that has any, such that the sum of strengths minus the costs
/// of jumps is maximal (Viterbi). Voicing is decided elsewhere.
///
/// Frames arrive one by one, and a choice is final as soon as all paths that may still win share
/// it. A long sound's frames therefore need not wait for its end, and the choices equal those of a
/// search through the whole.
struct PitchPath {
  private let settings: PitchTracker.Settings
  private let hopSeconds: Double
  /// The best paths to each candidate of the last frame that had any.
  private var ends: [End] = []
  private var gapFrames = 1.0
  /// Origin of the best path to each candidate, for each frame not yet settled.
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
    // A jump is cheaper the more time it has.
    let cost = settings.octaveJumpCost * 0.010 / (hopSeconds * gapFrames)
    var came = [UInt8](repeating: 0, count: frame.candidates.count)
    let next = frame.candidates.indices.map { index -> End in
      let candidate = frame.candidates[index]
      let octaves = log2(candidate.f0Hz)
      var end = End(log2F0: octaves, score: candidate.strength)
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

  /// Returns the choices that no later frame can change, since the last call: an index of a
  /// candidate, or `nil` if there is none.
  ///
  /// - Parameter isEnd: true if no frames follow, which settles every choice.
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
