import DSP

/// Draws places of a list with given chances, each as quickly as if all were alike.
///
/// - Cost: one random number and one look-up a draw, however many places there are.
/// - Source: Walker, "An efficient method for generating discrete random variables with general
///   distributions", 1977; built as in Vose, "A linear algorithm for generating random numbers with
///   a given distribution", 1991.
struct AliasTable {
  /// Of each place the chance to keep a draw that falls on it.
  private var kept: [Double]
  /// Who gets it otherwise.
  private var other: [Int]

  /// - Parameter weights: at least one, none below 0, some above; they need not sum up to 1.
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
    // Whoever is left lacks a last bit only.
    for place in poor + rich { kept[place] = 1 }
  }

  func draw(_ random: inout SeededGenerator) -> Int {
    let position = random.uniform() * Double(kept.count)
    let place = Int(position)
    return position - Double(place) < kept[place] ? place : other[place]
  }
}
