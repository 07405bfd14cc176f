import Corpus
import Foundation
import Platform

/// The influence of each setting: the variance of a figure over the settings tried, divided among
/// them.
///
/// `alone` is the variance of the mean at each value of one setting over the total variance: the
/// main effect of a functional analysis of variance. `interaction` of two settings is the variance
/// of the means at each pair of values beyond the best sum of two effects. On a full grid both are
/// the classical terms. If constraints forbid some combinations, settings depend on each other and
/// the terms overlap. `share` gives each setting the mean of what it adds after any subset of the
/// others (Shapley); shares always sum to 1.
///
/// - Cost: 2 to the power of the number of settings, in passes over the grid. More than 12
///   settings have no `share`.
/// - Source: Hooker, "Generalized functional ANOVA diagnostics for high-dimensional functions of
///   dependent variables", 2007; Owen, "Sobol' indices and Shapley value", 2014.
public struct SettingSensitivity: Codable, Equatable, Sendable {
  public struct Effect: Codable, Equatable, Sendable {
    public var setting: String
    /// Shapley share; `nil` if there are more than 12 settings.
    public var share: Double?
    public var alone: Double
  }

  public struct Interaction: Codable, Equatable, Sendable {
    public var settings: [String]
    public var share: Double
  }

  /// Effects, the largest first.
  public var effects: [Effect]
  public var interactions: [Interaction]
  /// True if every combination of values is present.
  public var isFullGrid: Bool

  /// Returns `nil` if no setting or no value varies.
  ///
  /// - Parameters:
  ///   - settings: settings of each point. A setting is analyzed if the points that have it give it
  ///     more than one value.
  ///   - values: the figure of each point.
  init?(of settings: [SubjectSettings], _ values: [Double]) {
    let names = settings.flatMap(\.keys).uniqued().sorted()
      .filter { name in Set(settings.compactMap { $0[name] }).count > 1 }
    // Levels are numbers; a missing setting, as of another engine, has a level of its own.
    let levels = names.map { name -> [Int] in
      let all = settings.map { $0[name] }.uniqued()
      let places = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
      return settings.map { places[$0[name]]! }
    }
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    let total = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    // Differences of rounding size count as none.
    guard !names.isEmpty, total > 1e-18 * Double(values.count) * max(1, mean * mean) else {
      return nil
    }
    func explained(_ chosen: [Int]) -> Double {
      let keys = settings.indices.map { point in chosen.map { levels[$0][point] } }
      return Self.explained(values, mean, by: keys) / total
    }
    let shares = names.count > 12 ? nil : Self.shares(names.count, explained)
    effects = names.indices.map { index in
      Effect(setting: names[index], share: shares?[index], alone: explained([index]))
    }.sorted { ($0.share ?? $0.alone, $1.setting) > ($1.share ?? $1.alone, $0.setting) }
    interactions = names.indices.flatMap { a in
      names.indices.filter { $0 > a }.map { b in
        let sum = Self.additive(values, mean, levels[a], levels[b]) / total
        return Interaction(
          settings: [names[a], names[b]], share: max(0, explained([a, b]) - sum))
      }
    }.sorted { ($0.share, $1.settings[0]) > ($1.share, $0.settings[0]) }
    let full = levels.reduce(1) { $0 * Set($1).count }
    isFullGrid = Set(settings).count == full && settings.count == full
  }

  /// Returns the sum of squares that the means of groups explain.
  private static func explained(
    _ values: [Double], _ mean: Double, by keys: [[Int]]
  ) -> Double {
    var groups: [[Int]: (sum: Double, count: Double)] = [:]
    for (key, value) in zip(keys, values) {
      let group = groups[key, default: (0, 0)]
      groups[key] = (group.sum + value - mean, group.count + 1)
    }
    // In order: sums in the order of a dictionary end in other digits in each process.
    let ordered = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return ordered.reduce(0) { $0 + $1.value.sum * $1.value.sum / $1.value.count }
  }

  /// Returns the sum of squares that the best sum of two effects explains, fitted alternately until
  /// it converges.
  private static func additive(
    _ values: [Double], _ mean: Double, _ a: [Int], _ b: [Int]
  ) -> Double {
    var fits = [
      [Double](repeating: 0, count: a.max()! + 1), [Double](repeating: 0, count: b.max()! + 1),
    ]
    let levels = [a, b]
    for _ in 0..<200 {
      var moved = 0.0
      for (own, other) in [(0, 1), (1, 0)] {
        var sums = [Double](repeating: 0, count: fits[own].count)
        var counts = sums
        for point in values.indices {
          sums[levels[own][point]] += values[point] - mean - fits[other][levels[other][point]]
          counts[levels[own][point]] += 1
        }
        for level in sums.indices where counts[level] > 0 {
          let fit = sums[level] / counts[level]
          moved = max(moved, abs(fit - fits[own][level]))
          fits[own][level] = fit
        }
      }
      if moved < 1e-12 * max(1, abs(mean)) { break }
    }
    return values.indices.reduce(0) { sum, point in
      let fit = fits[0][a[point]] + fits[1][b[point]]
      let away = values[point] - mean
      return sum + away * away - (away - fit) * (away - fit)
    }
  }

  private static func shares(_ count: Int, _ explained: ([Int]) -> Double) -> [Double] {
    let sets = 0..<(1 << count)
    let all = sets.map { set in explained((0..<count).filter { (set >> $0) & 1 == 1 }) }
    // Share of all orders in which a set of this size precedes one more setting.
    let weights = (0..<count).map { size -> Double in
      let orders = lgamma(Double(size + 1)) + lgamma(Double(count - size))
      return exp(orders - lgamma(Double(count + 1)))
    }
    var shares = [Double](repeating: 0, count: count)
    for index in 0..<count {
      let bit = 1 << index
      for set in sets where set & bit == 0 {
        shares[index] += weights[set.nonzeroBitCount] * (all[set | bit] - all[set])
      }
    }
    return shares
  }
}
