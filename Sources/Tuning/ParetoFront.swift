/// The points that no other point beats: none is at least as good on every axis and better on one.
enum ParetoFront {
  /// - Parameters:
  ///   - points: smaller is better; a point that lacks a coordinate is on no front.
  ///   - steps: differences smaller than this don't count, by axis: coordinates are taken in whole
  ///     steps, which keeps "beats" transitive.
  /// - Returns: for each point whether it is on the front. Equal points are on it together.
  /// - Cost: points times points on the front.
  static func members(of points: [[Double?]], steps: [Double]) -> [Bool] {
    let whole = points.map { point -> [Double]? in
      let known = point.compactMap(\.self)
      guard known.count == point.count else { return nil }
      return zip(known, steps).map { value, step in
        step > 0 ? (value / step).rounded() : value
      }
    }
    // In this order nothing is beaten by what comes later.
    let order = points.indices.filter { whole[$0] != nil }
      .sorted { whole[$0]!.lexicographicallyPrecedes(whole[$1]!) }
    var members = [Bool](repeating: false, count: points.count)
    var front: [[Double]] = []
    for index in order {
      let point = whole[index]!
      if front.contains(where: { beats($0, point) }) { continue }
      members[index] = true
      front.append(point)
    }
    return members
  }

  private static func beats(_ a: [Double], _ b: [Double]) -> Bool {
    a != b && zip(a, b).allSatisfy { $0 <= $1 }
  }
}
