/// An envelope's levels in three parts of every third step, with running sums, so that one dot
/// product correlates two envelopes at any shift.
struct InterleavedLevels {
  /// Distance of the steps that are compared, far finer than the harmonics.
  private static let spacing = 3

  private let count: Int
  /// Length of a column; the last entry of the levels, and often the one before, is unused.
  private let height: Int
  /// Four columns for each part. Part n has the levels of steps n, n + 3, n + 6, ..., and sums over
  /// the levels before each: of the levels, of each times its index, of their squares.
  private let table: [Double]

  init(_ levels: [Double]) {
    count = levels.count
    let height = (count + Self.spacing - 1) / Self.spacing + 1
    var table = [Double](repeating: 0, count: 4 * Self.spacing * height)
    for (step, level) in levels.enumerated() {
      let (index, part) = step.quotientAndRemainder(dividingBy: Self.spacing)
      let place = 4 * part * height + index
      let (sum, moment, square) = (place + height, place + 2 * height, place + 3 * height)
      table[place] = level
      table[sum + 1] = table[sum] + level
      table[moment + 1] = table[moment] + level * Double(index)
      table[square + 1] = table[square] + level * level
    }
    (self.height, self.table) = (height, table)
  }

  /// Returns the sums of both levels over the steps that both have, with these levels read `lag`
  /// steps lower.
  func sums(with other: InterleavedLevels, lag: Int) -> LevelSums {
    let (start, otherStart) = (max(0, -lag), max(0, lag))
    let shared = min(count - start, other.count - otherStart)
    let number = max(0, shared + Self.spacing - 1) / Self.spacing
    guard number > 0 else { return LevelSums() }
    // Steps count from the middle of the range, so that the sums of squares keep their precision.
    let middle = Double(start) - Double(HarmonicEnvelope.stepCount) / 2
    let (w, spacing) = (Double(number), Double(Self.spacing))
    let indices = w * (w - 1) / 2
    let indexSquares = indices * (2 * w - 1) / 3
    let (a, b) = (sums(from: start, number), other.sums(from: otherStart, number))
    var all = LevelSums()
    all.w = w
    all.x = w * middle + spacing * indices
    all.xx = w * middle * middle + 2 * middle * spacing * indices
    all.xx += spacing * spacing * indexSquares
    (all.a, all.b) = (a.level, b.level)
    all.ax = middle * a.level + spacing * a.moment
    all.bx = middle * b.level + spacing * b.moment
    (all.aa, all.bb) = (a.square, b.square)
    let (first, otherFirst) = (place(of: start), place(of: otherStart))
    all.ab = dot(table, from: first, other.table, from: otherFirst, count: number)
    return all
  }

  /// Returns the place of a step's level in the table.
  private func place(of step: Int) -> Int {
    4 * (step % Self.spacing) * height + step / Self.spacing
  }

  /// Returns sums over every third step: of the levels, of each times its index in the range, of
  /// their squares.
  private func sums(
    from step: Int, _ number: Int
  ) -> (level: Double, moment: Double, square: Double) {
    let first = place(of: step) + height
    let end = first + number
    let level = table[end] - table[first]
    let moment = table[end + height] - table[first + height]
    return (
      level, moment - Double(step / Self.spacing) * level,
      table[end + 2 * height] - table[first + 2 * height]
    )
  }
}
