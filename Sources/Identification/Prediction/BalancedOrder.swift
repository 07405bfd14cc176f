/// An order of cells any prefix of which holds every recording, condition, score and setting about
/// equally often, so that the effects of all of them can be told early.
///
/// The next cell is the one whose coordinates were chosen least; ties are broken by a golden ratio
/// sequence, which keeps neighbours in the plan apart.
public enum BalancedOrder {
  /// Returns the first `count` indices of this order.
  ///
  /// - Parameter chosen: indices that were chosen before; they count, and are not returned.
  public static func indices(
    of places: [CellPlace], count: Int, after chosen: [Int] = []
  ) -> [Int] {
    let coordinates = places.map { place in
      [
        "recording " + place.recording, "condition " + place.condition, "score " + place.score,
        "choice \(place.subject) \(place.settings.canonical)",
      ] + place.settings.map { "setting \($0.key)=\($0.value)" }
    }
    var seen: [String: Int] = [:]
    var left = Set(places.indices)
    func take(_ index: Int) {
      left.remove(index)
      for coordinate in coordinates[index] { seen[coordinate, default: 0] += 1 }
    }
    for index in chosen { take(index) }
    let spread = places.indices.sorted { turn($0) < turn($1) }
    var order: [Int] = []
    while order.count < count, !left.isEmpty {
      func load(_ index: Int) -> Int {
        coordinates[index].reduce(0) { $0 + seen[$1, default: 0] }
      }
      // Recordings and settings differ most, so neither may fall behind the other.
      func rank(_ index: Int) -> (Int, Int) {
        let own = coordinates[index].map { seen[$0, default: 0] }
        return (own[0] + own[3], load(index))
      }
      let next = spread.filter(left.contains).min { rank($0) < rank($1) }!
      take(next)
      order.append(next)
    }
    return order
  }

  private static func turn(_ index: Int) -> Double {
    (Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
  }
}
