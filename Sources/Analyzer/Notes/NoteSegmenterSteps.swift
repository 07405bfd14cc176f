/// Approximates a contour by level steps, the exact minimum of the L1 Potts functional.
///
/// Levels lie on a grid of a tenth of a semitone.
///
/// - Cost: proportional to frames times levels. Allocates.
struct NoteSegmenterSteps {
  /// Cost of one change, in semitones times frames.
  let changeCost: Double

  private static let levelsPerSemitone = 10.0

  /// Returns the runs of frames with one level each; together they cover the contour.
  ///
  /// - Parameter contour: semitones; `nil` fits any level.
  func steps(of contour: [Double?]) -> [Range<Int>] {
    let known = contour.compactMap { $0 }
    guard let lowest = known.min(), let highest = known.max() else { return [] }
    let levels = (0...Int((highest - lowest) * Self.levelsPerSemitone) + 1).map {
      lowest + Double($0) / Self.levelsPerSemitone
    }
    var costs = [Double](repeating: 0, count: levels.count)
    // For each frame: the cheapest level before it, and which levels are best reached from there.
    var cheapest: [Int] = []
    var changed: [Bool] = []
    changed.reserveCapacity(contour.count * levels.count)
    for semitones in contour {
      let best = costs.indices.min { costs[$0] < costs[$1] }!
      let ceiling = costs[best] + changeCost
      cheapest.append(best)
      for level in levels.indices {
        changed.append(costs[level] > ceiling)
        let distance = semitones.map { abs($0 - levels[level]) } ?? 0
        costs[level] = min(costs[level], ceiling) + distance
      }
    }
    var level = costs.indices.min { costs[$0] < costs[$1] }!
    var steps: [Range<Int>] = []
    var end = contour.count
    for frame in contour.indices.reversed() where changed[frame * levels.count + level] {
      steps.append(frame..<end)
      (level, end) = (cheapest[frame], frame)
    }
    return [0..<end] + steps.reversed()
  }
}
