/// The points that no other point dominates, being as good on every axis and better on one.
enum ParetoFront {
  /// Returns for each point whether it is on the front. Equal points are on it together.
  ///
  /// - Parameters:
  ///   - points: smaller coordinates are better; a point that lacks one is never on the front.
  ///   - step: smallest difference that counts. Coordinates are rounded to whole steps, which keeps
  ///     dominance transitive.
  /// - Cost: points times points on the front.
  static func members(of points: [[Double?]], step: Double) -> [Bool] {
    let whole = points.map { point -> [Double]? in
      let known = point.compactMap(\.self)
      guard known.count == point.count else { return nil }
      return known.map { step > 0 ? ($0 / step).rounded() : $0 }
    }
    // In this order no point is dominated by a later one.
    let order = points.indices.filter { whole[$0] != nil }
      .sorted { whole[$0]!.lexicographicallyPrecedes(whole[$1]!) }
    var members = [Bool](repeating: false, count: points.count)
    var front: [[Double]] = []
    for index in order {
      let point = whole[index]!
      if front.contains(where: { dominates($0, point) }) { continue }
      members[index] = true
      front.append(point)
    }
    return members
  }

  private static func dominates(_ a: [Double], _ b: [Double]) -> Bool {
    a != b && zip(a, b).allSatisfy { $0 <= $1 }
  }
}
