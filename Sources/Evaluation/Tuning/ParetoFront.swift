/// The settings that no other dominates, being as good on every coordinate and better on one.
enum ParetoFront {
  /// Returns for each standing whether it is on the front; equal ones are on it together, and one that
  /// can't be recommended never is.
  static func members(of standings: [TuneRule.Standing]) -> [Bool] {
    members(of: standings.map { $0.isWhole ? $0.coordinates : nil }, step: TuneRule.smallestStep)
  }

  /// - Parameters:
  ///   - points: smaller coordinates are better; `nil` is never on the front.
  ///   - step: smallest difference that counts. Coordinates are rounded to whole steps, which keeps
  ///     dominance transitive.
  /// - Cost: points times points on the front.
  static func members(of points: [[Double]?], step: Double) -> [Bool] {
    let rounded = points.map { $0?.map { step > 0 ? ($0 / step).rounded() : $0 } }
    // In this order no point is dominated by a later one.
    let order = rounded.indices.filter { rounded[$0] != nil }
      .sorted { rounded[$0]!.lexicographicallyPrecedes(rounded[$1]!) }
    var members = [Bool](repeating: false, count: points.count)
    var front: [[Double]] = []
    for index in order {
      let point = rounded[index]!
      let isDominated = front.contains { better in
        better != point && zip(better, point).allSatisfy { $0 <= $1 }
      }
      if isDominated { continue }
      members[index] = true
      front.append(point)
    }
    return members
  }
}
