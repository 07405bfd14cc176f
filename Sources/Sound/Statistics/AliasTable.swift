import DSP

/// Draws indices with given probabilities in constant time.
///
/// - Cost: one random number and one look-up per draw, for any number of indices.
/// - Source: Walker, "An efficient method for generating discrete random variables with general
///   distributions", 1977; built as in Vose, "A linear algorithm for generating random numbers with
///   a given distribution", 1991.
struct AliasTable {
  /// Probability that an index keeps a draw that falls on it.
  private var kept: [Double]
  /// Index that gets the draw otherwise.
  private var other: [Int]

  /// - Parameter weights: at least one, none negative, not all 0; their sum is arbitrary.
  init(weights: [Double]) {
    let mean = weights.reduce(0, +) / Double(weights.count)
    precondition(mean > 0 && mean.isFinite, "weights have a finite sum above 0")
    kept = weights.map { $0 / mean }
    other = Array(weights.indices)
    var (poor, rich) = ([Int](), [Int]())
    for place in weights.indices {
      if kept[place] < 1 { poor.append(place) } else { rich.append(place) }
    }
    while let giver = rich.last, let taker = poor.popLast() {
      other[taker] = giver
      kept[giver] -= 1 - kept[taker]
      if kept[giver] < 1 { poor.append(rich.removeLast()) }
    }
    // The remaining ones are off by rounding only.
    for place in poor + rich { kept[place] = 1 }
  }

  func draw(_ random: inout SeededGenerator) -> Int {
    let position = random.uniform() * Double(kept.count)
    let place = Int(position)
    return position - Double(place) < kept[place] ? place : other[place]
  }
}
