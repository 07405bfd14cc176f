import DSP
import Foundation
import Statistics

/// Finds the commits at which a figure changed its level.
///
/// The statistic is the largest standardized sum of ranks (a Mann–Whitney test at every commit), so
/// nothing is assumed about the distribution of noise. Its p-value is that of permutations of the
/// same values. Segments on both sides are searched again (binary segmentation). A change below the
/// minimum effect is none.
///
/// A figure whose values stay exactly the same from commit to commit has no noise: each of its steps
/// is a change, once two commits have the new value.
///
/// - Source: A. N. Pettitt, "A non-parametric approach to the change-point problem", Applied
///   Statistics 28 (1979); the scan over positions is standardized here.
public struct ChangePointTest: Sendable {
  /// False change points expected per commit, over all figures together.
  public var falseAlarmsPerCommit = 0.005
  public var seed: UInt64 = 1

  public init() {}

  /// Number of permutations beyond which p-values are not resolved.
  private static let maxPermutations = 200_000

  /// Returns the change points of one figure in order.
  ///
  /// - Parameters:
  ///   - figures: number of figures that are searched together.
  ///   - minimumEffect: smallest change of the level that counts.
  public func changes(
    in values: [Double], figures: Int, minimumEffect: Double = 0
  ) -> [ChangePoint] {
    let bounds: [Int]
    if let steps = Self.steps(of: values) {
      bounds = steps
    } else {
      let level = min(0.05, falseAlarmsPerCommit * Double(values.count) / Double(max(1, figures)))
      var found: [Int] = []
      search(values, 0..<values.count, level: level, &found)
      bounds = found.sorted()
    }
    return kept(bounds, values, minimumEffect)
  }

  /// Smallest number of commits on either side with which a change can be found.
  public func minCommits(of count: Int, figures: Int) -> Int? {
    let level = min(0.05, falseAlarmsPerCommit * Double(count) / Double(max(1, figures)))
    return (1...max(1, count / 2)).first { side in
      var arrangements = 1.0
      for k in 0..<side { arrangements *= Double(count - k) / Double(k + 1) }
      // Both ends and both directions are as extreme.
      return 4 / arrangements <= level
    }
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
    guard range.count >= 4, let split = split(Array(values[range]), level: own) else { return }
    found.append(range.lowerBound + split)
    search(values, range.lowerBound..<range.lowerBound + split, level: level, &found)
    search(values, range.lowerBound + split..<range.upperBound, level: level, &found)
  }

  /// Returns the first index of the second part; `nil` if there is no significant change.
  private func split(_ values: [Double], level: Double) -> Int? {
    let ranks = Self.ranks(values)
    let scan = Scan(count: ranks.count)
    let (observed, place) = scan.largest(ranks)
    guard observed > 0 else { return nil }
    let permutations = min(Self.maxPermutations, max(1000, Int((20 / level).rounded(.up))))
    var (generator, shuffled, exceeding) = (SeededGenerator(seed: seed), ranks, 1)
    // Further permutations can't make it significant.
    let most = level * Double(permutations + 1)
    for _ in 0..<permutations {
      for index in stride(from: shuffled.count - 1, to: 0, by: -1) {
        shuffled.swapAt(index, Int(generator.next() % UInt64(index + 1)))
      }
      if scan.largest(shuffled).value >= observed - 1e-9 { exceeding += 1 }
      if Double(exceeding) > most { return nil }
    }
    return place
  }

  /// Returns ranks less the mean of all.
  private static func ranks(_ values: [Double]) -> [Double] {
    Statistics.ranks(values).map { $0 - Double(values.count + 1) / 2 }
  }

  /// The scan over all positions of a change.
  private struct Scan {
    /// Reciprocal standard deviation of the sum of the first k ranks.
    private let weights: [Double]

    init(count: Int) {
      weights = (0..<count).map { k in
        k == 0 ? 0 : 1 / (Double(k) * Double(count - k)).squareRoot()
      }
    }

    func largest(_ ranks: [Double]) -> (value: Double, place: Int) {
      var (sum, best, place) = (0.0, 0.0, 0)
      for k in 1..<ranks.count {
        sum += ranks[k - 1]
        let value = abs(sum) * weights[k]
        if value > best + 1e-12 { (best, place) = (value, k) }
      }
      return (best, place)
    }
  }

  // MARK: Levels

  private func kept(
    _ bounds: [Int], _ values: [Double], _ minimumEffect: Double
  ) -> [ChangePoint] {
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
