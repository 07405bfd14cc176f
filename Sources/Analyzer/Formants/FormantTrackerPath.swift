import Foundation

/// Assigns each frame's resonances to formants.
///
/// A Viterbi search finds the cheapest assignment over all frames in which each frame's formants
/// ascend. `FormantTracker` holds the costs: distance from the expected place, bandwidth,
/// movement from frame to frame, absence, and skipped resonances. A silent frame splits the search
/// in two.
///
/// - Source: Xia and Espy-Wilson, "A new strategy of formant tracking based on dynamic
///   programming", ICSLP 2000; Praat, "Formant: Track...".
struct FormantTrackerPath {
  private static let formantCount = 4

  /// The index of each formant's resonance; the index after the last means none.
  private typealias Numbering = [Int]

  /// The possible numberings of a frame, by its number of resonances.
  private let numberings: [[Numbering]]

  init() { numberings = (0...FormantTracker.resonanceCount).map(Self.numberings) }

  /// - Parameter frames: each frame's resonances by ascending frequency; `nil` in silence.
  func cheapest(through frames: [[Formant]?]) -> [FormantTrack.Frame] {
    var track = [FormantTrack.Frame](repeating: .init(), count: frames.count)
    var start = 0
    while start < frames.count {
      guard frames[start] != nil else {
        start += 1
        continue
      }
      let stretch = frames[start...].prefix { $0 != nil }.map { $0! }
      track.replaceSubrange(start..<start + stretch.count, with: path(through: stretch))
      start += stretch.count
    }
    return track
  }

  private func path(through frames: [[Formant]]) -> [FormantTrack.Frame] {
    var costs = localCosts(frames[0])
    var cameFrom: [[Int]] = []
    for (before, now) in zip(frames, frames.dropFirst()) {
      let step = advance(costs, from: before, to: now)
      costs = step.costs
      cameFrom.append(step.cameFrom)
    }
    var choice = costs.indices.min { costs[$0] < costs[$1] }!
    var choices = [choice]
    for origins in cameFrom.reversed() {
      choice = origins[choice]
      choices.append(choice)
    }
    return zip(frames, choices.reversed()).map { frame, choice in
      let formants = numberings[frame.count][choice].map { $0 < frame.count ? frame[$0] : nil }
      return .init(f1: formants[0], f2: formants[1], f3: formants[2], f4: formants[3])
    }
  }

  /// The lowest cost of each numbering of `now`, and the numbering of `before` it continues.
  private func advance(
    _ costs: [Double], from before: [Formant], to now: [Formant]
  ) -> (costs: [Double], cameFrom: [Int]) {
    let movement = movementCosts(before, now)
    let width = now.count + 1
    let origins = numberings[before.count].map { $0.map { $0 * width } }
    var best = localCosts(now)
    var cameFrom = [Int](repeating: 0, count: best.count)
    for (index, numbering) in numberings[now.count].enumerated() {
      let (a, b, c, d) = (numbering[0], numbering[1], numbering[2], numbering[3])
      var least = Double.infinity
      for (origin, row) in origins.enumerated() {
        let cost =
          costs[origin] + movement[row[0] + a] + movement[row[1] + b] + movement[row[2] + c]
          + movement[row[3] + d]
        if cost < least { (least, cameFrom[index]) = (cost, origin) }
      }
      best[index] += least
    }
    return (best, cameFrom)
  }

  /// The cost of each numbering of a frame by itself.
  private func localCosts(_ frame: [Formant]) -> [Double] {
    numberings[frame.count].map { numbering in
      var cost = 0.0
      var next = 0  // the lowest resonance not yet considered
      for (number, resonance) in numbering.enumerated() {
        guard resonance < frame.count else {
          cost += FormantTracker.absenceCosts[number]
          continue
        }
        cost += frame[next..<resonance].reduce(0) { $0 + passingCost($1) }
        cost += localCost(frame[resonance], number)
        next = resonance + 1
      }
      return cost
    }
  }

  /// The cost of assigning a resonance to the formant with an index from 0.
  private func localCost(_ resonance: Formant, _ index: Int) -> Double {
    // A straight tube, closed at the glottis and open at the lips, resonates here.
    let expectedHz =
      (Double(index) + 0.5) * FormantTracker.ceilingHz / Double(FormantTracker.resonanceCount)
    return FormantTracker.frequencyCost * abs(resonance.frequencyHz - expectedHz) / 1000
      + FormantTracker.bandwidthCost * resonance.bandwidthHz / resonance.frequencyHz
  }

  private func passingCost(_ resonance: Formant) -> Double {
    FormantTracker.passingCost * max(0, 1 - resonance.bandwidthHz / FormantTracker.maxBandwidthHz)
  }

  /// The costs from each resonance of `before`, or none, in rows, to each of `now`, or none.
  private func movementCosts(_ before: [Formant], _ now: [Formant]) -> [Double] {
    let past = before.map { log2($0.frequencyHz) }
    let present = now.map { log2($0.frequencyHz) }
    // Appearing or vanishing costs as much as a move by a quarter of an octave.
    let change = FormantTracker.transitionCost / 4
    let moving = past.flatMap { from in
      present.map { FormantTracker.transitionCost * abs($0 - from) } + [change]
    }
    return moving + Array(repeating: change, count: now.count) + [0]
  }

  /// All ascending numberings of `count` resonances that omit at most one formant more than
  /// necessary.
  private static func numberings(of count: Int) -> [Numbering] {
    let absent = max(0, formantCount - count) + 1
    var all: [Numbering] = [[]]
    for _ in 0..<formantCount {
      all = all.flatMap { begun -> [Numbering] in
        let next = (begun.last { $0 < count } ?? -1) + 1
        return (next..<max(next, count)).map { begun + [$0] } + [begun + [count]]
      }
    }
    return all.filter { numbering in numbering.count { $0 == count } <= absent }
  }
}
