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
    members(of: FrontPoints(points), step: step)
  }

  static func members(of points: FrontPoints, step: Double) -> [Bool] {
    var whole = points
    for point in 0..<points.count where step > 0 {
      for place in 0..<points.width {
        whole[point, place] = (points[point, place] / step).rounded()
      }
    }
    // In this order no point is dominated by a later one.
    let order = (0..<whole.count).filter { whole.isWhole($0) }.sorted { precedes($0, $1, whole) }
    var members = [Bool](repeating: false, count: points.count)
    var front: [Int] = []
    for point in order where !front.contains(where: { dominates($0, point, whole) }) {
      members[point] = true
      front.append(point)
    }
    return members
  }

  private static func precedes(_ a: Int, _ b: Int, _ points: FrontPoints) -> Bool {
    for place in 0..<points.width where points[a, place] != points[b, place] {
      return points[a, place] < points[b, place]
    }
    return false
  }

  private static func dominates(_ a: Int, _ b: Int, _ points: FrontPoints) -> Bool {
    var isBetter = false
    for place in 0..<points.width {
      if points[a, place] > points[b, place] { return false }
      if points[a, place] < points[b, place] { isBetter = true }
    }
    return isBetter
  }
}
