import Statistics

/// Finds the commits at which a figure changed its level.
///
/// A figure whose values stay exactly the same from commit to commit has no noise: each of its steps
/// is a change, once two commits have the new value. For any other, Student's t compares the values
/// before and after every commit, with at least two on either side; the largest t counts, by
/// Bonferroni's inequality over the places. Both sides are searched again (binary segmentation). A
/// change below the minimum effect is none.
///
/// Noise is taken to be normal, which lets a large step show within ten commits, as ranks alone can't.
/// Noise with far heavier tails has more false points than stated.
///
/// - Source: Hawkins, "Testing a sequence of observations for a shift in location", Journal of the
///   American Statistical Association 72 (1977).
public struct ChangePointTest: Sendable {
  /// False change points expected per commit, over all figures together.
  public var falseAlarmsPerCommit = 0.005

  public init() {}

  /// Smallest number of commits on either side of a change.
  private static let minSide = 2

  /// Returns the change points of one figure in order.
  ///
  /// - Parameters:
  ///   - figures: number of figures that are searched together.
  ///   - minimumEffect: smallest change of the level that counts.
  public func changes(
    in values: [Double], figures: Int, minimumEffect: Double = 0
  ) -> [ChangePoint] {
    var bounds = Self.steps(of: values) ?? []
    if Self.steps(of: values) == nil {
      search(values, 0..<values.count, level: level(values.count, figures), &bounds)
    }
    return kept(bounds.sorted(), values, minimumEffect)
  }

  /// Returns how many commits must have a new level until a change of a size is found, if the noise
  /// stays as it is: with a probability of 80 %. `nil` if more than 100 would not do.
  ///
  /// - Parameters:
  ///   - level: the values since the last change.
  ///   - size: the change of the level, above 0.
  public func commitsNeeded(after level: [Double], figures: Int, size: Double) -> Int? {
    guard level.count >= Self.minSide, let deviation = Statistics.deviation(level) else {
      return nil
    }
    return (Self.minSide...100).first { new in
      let count = level.count + new
      let degrees = Double(count - 2)
      let places = Double(max(1, count - 2 * Self.minSide + 1))
      let error = deviation * (1 / Double(level.count) + 1 / Double(new)).squareRoot()
      let limit = Statistics.studentLimit(
        level: self.level(count, figures) / places / 2, degrees: degrees)
      return (limit + Statistics.studentLimit(level: 0.2, degrees: degrees)) * error <= size
    }
  }

  /// The probability of a false change point in a figure.
  private func level(_ commits: Int, _ figures: Int) -> Double {
    min(0.05, falseAlarmsPerCommit * Double(commits) / Double(max(1, figures)))
  }

  // MARK: Without noise

  /// Returns the steps of a figure that stays exactly the same between them; `nil` for any other.
  /// A step is confirmed by a second commit.
  private static func steps(of values: [Double]) -> [Int]? {
    guard values.count >= 3 else { return nil }
    func equal(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 * max(1, abs(a), abs(b)) }
    let steps = values.indices.dropFirst().filter { !equal(values[$0], values[$0 - 1]) }
    let ends = [0] + steps + [values.count]
    let runs = zip(ends.dropFirst(), ends).map { $0 - $1 }
    guard runs.dropLast().allSatisfy({ $0 >= 2 }) else { return nil }
    return runs.last! >= 2 ? steps : Array(steps.dropLast())
  }

  // MARK: With noise

  private func search(
    _ values: [Double], _ range: Range<Int>, level: Double, _ found: inout [Int]
  ) {
    // A segment's share of the level is its share of the commits.
    let own = level * Double(range.count) / Double(values.count)
    guard let place = Self.split(Array(values[range]), level: own) else { return }
    let split = range.lowerBound + place
    found.append(split)
    search(values, range.lowerBound..<split, level: level, &found)
    search(values, split..<range.upperBound, level: level, &found)
  }

  /// Returns the first index of the second part; `nil` if there is no significant change.
  private static func split(_ values: [Double], level: Double) -> Int? {
    let count = values.count
    guard count >= 2 * minSide, let mean = Statistics.mean(values) else {
      return nil
    }
    let total = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    var (sum, best, place) = (0.0, 0.0, 0)
    for index in 1...(count - minSide) {
      sum += values[index - 1] - mean
      guard index >= minSide else { continue }
      let between = sum * sum * Double(count) / Double(index * (count - index))
      if between > best { (best, place) = (between, index) }
    }
    let within = max(total - best, 1e-12 * total)
    guard best > 0 else { return nil }
    let t = (best / within * Double(count - 2)).squareRoot()
    let share = Statistics.studentShare(above: t, degrees: Double(count - 2))
    return 2 * share * Double(count - 2 * minSide + 1) <= level ? place : nil
  }

  // MARK: Levels

  private func kept(_ bounds: [Int], _ values: [Double], _ minimumEffect: Double) -> [ChangePoint] {
    func median(_ range: Range<Int>) -> Double { Statistics.median(Array(values[range]))! }
    var bounds = bounds
    while true {
      let ends = [0] + bounds + [values.count]
      let points = bounds.indices.map { index in
        ChangePoint(
          index: bounds[index], before: median(ends[index]..<ends[index + 1]),
          after: median(ends[index + 1]..<ends[index + 2]))
      }
      // The smallest change goes first, because its neighbours' levels depend on it.
      guard
        let least = points.min(by: { abs($0.after - $0.before) < abs($1.after - $1.before) }),
        abs(least.after - least.before) < minimumEffect
      else { return points }
      bounds.removeAll { $0 == least.index }
    }
  }
}

/// A commit from which on a figure has another level.
public struct ChangePoint: Codable, Equatable, Sendable {
  /// Position of the first commit with the new level.
  public var index: Int
  /// Median before and from then on, between the neighbouring change points.
  public var before: Double
  public var after: Double
}
