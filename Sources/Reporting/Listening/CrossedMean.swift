import Statistics

/// The mean of one figure over listeners and clips, both drawn from many, with its uncertainty.
///
/// A listener's leniency and a clip's ease move all of their values, so a mean over 12 listeners and
/// 4 clips is not one of 48 independent values. Its variance is that of a crossed random-effects
/// model, by the mean squares of the analysis of variance; the degrees of freedom are Satterthwaite's.
/// Missing values are filled from their row and column (Yates) and cost a degree each.
///
/// - Source: Searle, Casella and McCulloch, "Variance Components", 1992, chapter 4; Satterthwaite,
///   "An approximate distribution of estimates of variance components", 1946; Yates, "The analysis of
///   replicated experiments when the field results are incomplete", 1933.
struct CrossedMean: Equatable {
  let mean: Double
  /// Variances of a single value due to the listener, the clip and all else, not below 0.
  let listenerVariance, clipVariance, restVariance: Double
  let listeners, clips: Int
  private let variance: Double
  private let degrees: Double

  /// - Parameter values: by listener and clip; `nil` where a listener did not answer.
  /// - Returns: `nil` with fewer than two listeners, or for a listener or a clip without a value.
  init?(_ values: [[Double?]]) {
    let (rows, columns) = (values.count, values.first?.count ?? 0)
    guard rows > 1, columns > 0, values.allSatisfy({ $0.contains { $0 != nil } }),
      (0..<columns).allSatisfy({ column in values.contains { $0[column] != nil } })
    else { return nil }
    let missing = values.joined().count { $0 == nil }
    let (whole, byRow, byColumn) = Self.filled(values)
    let count = Double(rows * columns)
    let mean = whole.joined().reduce(0, +) / count
    func square(_ means: [Double], _ each: Int) -> Double {
      guard means.count > 1 else { return 0 }
      return Double(each) * means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        / Double(means.count - 1)
    }
    let ofRows = square(byRow, columns)
    let ofColumns = square(byColumn, rows)
    let restDegrees = max(1, (rows - 1) * (columns - 1) - missing)
    var rest = 0.0
    for (row, own) in whole.enumerated() {
      for (column, value) in own.enumerated() {
        let left = value - byRow[row] - byColumn[column] + mean
        rest += left * left
      }
    }
    rest /= Double(restDegrees)
    self.mean = mean
    (listeners, clips) = (rows, columns)
    listenerVariance = max(0, ofRows - (columns > 1 ? rest : 0)) / Double(columns)
    clipVariance = max(0, ofColumns - rest) / Double(rows)
    restVariance = columns > 1 ? rest : 0
    guard columns > 1 else {
      // One clip: the result holds for it alone.
      (variance, degrees) = (ofRows / count, Double(rows - 1))
      return
    }
    // The rest is in both mean squares and counts once; not more of it than the smaller has, as an
    // estimate may by chance.
    let sum = ofRows + ofColumns - min(rest, ofRows, ofColumns)
    variance = sum / count
    let spread =
      ofRows * ofRows / Double(rows - 1) + ofColumns * ofColumns / Double(columns - 1)
      + rest * rest / Double(restDegrees)
    degrees = spread > 0 ? sum * sum / spread : 1
  }

  /// Fills what is missing with the mean of its row plus that of its column less the whole mean, until
  /// nothing changes.
  private static func filled(
    _ values: [[Double?]]
  ) -> (whole: [[Double]], rows: [Double], columns: [Double]) {
    let known = values.joined().compactMap(\.self)
    let start = known.reduce(0, +) / Double(known.count)
    var whole = values.map { $0.map { $0 ?? start } }
    let hasGaps = values.joined().contains { $0 == nil }
    while true {
      let rows = whole.map { $0.reduce(0, +) / Double($0.count) }
      let columns = whole[0].indices.map { column in
        whole.reduce(0) { $0 + $1[column] } / Double(whole.count)
      }
      guard hasGaps else { return (whole, rows, columns) }
      let mean = rows.reduce(0, +) / Double(rows.count)
      var change = 0.0
      for (row, own) in values.enumerated() {
        for column in own.indices where own[column] == nil {
          let filling = rows[row] + columns[column] - mean
          change = max(change, abs(filling - whole[row][column]))
          whole[row][column] = filling
        }
      }
      if change < 1e-9 { return (whole, rows, columns) }
    }
  }

  /// The interval that holds the mean of all listeners and clips with a probability of 95 %.
  var interval: ClosedRange<Double> {
    let half = variance.squareRoot() * Statistics.studentLimit(level: 0.025, degrees: degrees)
    return mean - half...mean + half
  }

  /// The probability of at least as large a mean by chance, two-sided.
  var pValue: Double { Self.pValue(mean, error: variance.squareRoot(), degrees: degrees) }

  static func pValue(_ value: Double, error: Double, degrees: Double) -> Double {
    guard error > 0 else { return value == 0 ? 1 : 0 }
    return min(1, 2 * Statistics.studentShare(above: abs(value) / error, degrees: degrees))
  }

  /// Returns the smallest mean that such a test finds different from 0 with a probability of 80 %.
  var smallestEffect: Double { Self.reach(degrees) * variance.squareRoot() }

  /// Returns the number of listeners, on as many clips, who would find a mean of `effect` with a
  /// probability of 80 %; `nil` if no number would, because the clips differ too much.
  func listenersNeeded(forEffect effect: Double) -> Int? {
    func isEnough(_ count: Int) -> Bool {
      let variance =
        listenerVariance / Double(count) + clipVariance / Double(clips)
        + restVariance / Double(count * clips)
      return Self.reach(Double(count - 1)) * variance.squareRoot() <= effect
    }
    var (few, many) = (1, 1000)
    guard isEnough(many) else { return nil }
    while many - few > 1 {
      let middle = (few + many) / 2
      if isEnough(middle) { many = middle } else { few = middle }
    }
    return many
  }

  private static func reach(_ degrees: Double) -> Double {
    Statistics.studentLimit(level: 0.025, degrees: degrees)
      + Statistics.studentLimit(level: 0.2, degrees: degrees)
  }
}
