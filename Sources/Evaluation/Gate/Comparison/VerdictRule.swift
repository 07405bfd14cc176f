import Foundation
import Statistics

/// The rule by which every comparison of runs reaches its verdicts (docs/reference/verdict.md).
///
/// One limit holds for every decision of a comparison: `level`, divided by their number (Bonferroni).
public struct VerdictRule: Codable, Equatable, Sendable {
  /// Largest probability of any false verdict in one comparison of equal programs.
  public var level = 0.005
  /// Power at the minimum detectable effect.
  public var power = 0.95
  /// Minimum effects by which a single recording of a deterministic subject must be worse to be a regression
  /// by itself. docs/notes/gate.md#false-alarms has what 20 % more or less of this and of the constants below
  /// change.
  public var jump = 5.0
  /// True if the subject's output differs from one run to the next, so that single takes prove nothing.
  public var isRandom = false

  public init() {}
}

/// The changes of one figure: a row for each recording, with a number for each take. Both sides of a take
/// have the same inaudible change of the input. A run that was measured once is a table of one column.
struct TakesTable: Sendable {
  let rows: [[Double]]
  /// Weights of the rows in the mean; they sum to 1.
  let weights: [Double]
  /// Weighted mean over recordings.
  let mean: Double
  /// Standard error of the mean by the spread of each recording's takes; 0 for one take.
  let error: Double
  private let effect: Double
  private let isRandom: Bool
  /// Exchanges of both sides of a take; for a random subject, of all takes of a recording.
  private let exchanges: ExchangeTest?

  /// Takes with the typical variance that each recording borrows, so that five takes which happen to lie
  /// close together do not outweigh all others.
  private static let borrowed = 4.0
  /// Smallest standard deviation of takes that Student's t is told, in minimum effects. Figures that come
  /// in steps, such as counts, would otherwise have none.
  private static let minDeviation = 0.1
  /// The same where one recording decides alone: both sides scatter.
  private static let minDeviationAlone = 0.2

  /// - Parameters:
  ///   - sides: values of both sides, by recording and take.
  ///   - takes: number of takes that were measured, of which some may have no value.
  ///   - effect: minimum effect.
  init(_ sides: [ExchangeTest.Group], ofTakes takes: Int, effect: Double, isRandom: Bool) {
    isSingle = takes < 2
    rows = sides.map { zip($0.before, $0.after).map { $1 - $0 } }
    self.effect = effect
    let own = rows.map { row in Statistics.deviation(row).map { $0 * $0 } }
    let typical = Statistics.median(own.compactMap(\.self)) ?? 0
    let raw = zip(sides, own).map { side, variance in
      // Weights must not change with what is exchanged.
      if isRandom { return 1 / (side.variance + effect * effect) }
      let (count, degrees) = (Double(side.after.count), Double(side.after.count - 1))
      let known = (Self.borrowed * typical + degrees * (variance ?? 0)) / (Self.borrowed + degrees)
      // A recording in which only some takes have a value weighs less.
      return count / (known + Double(takes) * effect * effect)
    }
    let weights = raw.map { $0 / raw.reduce(0, +) }
    self.weights = weights
    let shares = zip(weights, rows).flatMap { weight, row in
      row.map { _ in weight / Double(row.count) }
    }
    self.shares = shares
    let units = zip(shares, rows.joined()).map { $0 * $1 }
    let mean = units.reduce(0, +)
    self.mean = mean
    let variances = zip(rows, own).map { ($1 ?? typical) / Double($0.count) }
    error = zip(weights, variances).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }.squareRoot()
    self.isRandom = isRandom
    let sign = mean < 0 ? -1.0 : 1.0
    exchanges =
      isRandom
      ? ExchangeTest(zip(weights, sides).map { $1.scaled(by: sign * $0) })
      : ExchangeTest(pairs: units.map { sign * $0 })
  }

  /// Weight of each take in the mean, recording by recording.
  private let shares: [Double]
  /// The number of takes of equal weight that would tell as much (Kish, "Survey Sampling", 1965, 11.2).
  private var count: Double { 1 / shares.reduce(0) { $0 + $1 * $1 } }

  var isUnchanged: Bool { rows.joined().allSatisfy { $0 == 0 } }
  /// True if nothing was measured more than once.
  let isSingle: Bool
  /// Number of recordings whose mean changed in the same direction as the mean of all.
  var agreeing: Int {
    rows.count { row in row.reduce(0, +) * mean > 0 }
  }

  /// Returns the weighted mean over recordings of another number for each.
  func mean(of values: [Double]) -> Double {
    zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Returns the probability that chance moves the mean as far, in either direction: by exchanges of both sides of
  /// each take, or by Student's t if so few exchanges cannot reach the limit. Chance moves the takes of a random
  /// subject on each side alone, so these are exchanged with all others of their recording.
  func pValue(limit: Double) -> Double {
    guard let exchanges, !isUnchanged else { return 1 }
    if isRandom || 2 * exchanges.minPValue <= limit { return min(1, 2 * exchanges.pValue) }
    guard shares.count > 1 else { return 1 }
    let variance = zip(shares, rows.joined()).reduce(0) { sum, take in
      let difference = take.0 * (take.1 - mean)
      return sum + difference * difference
    }
    let error = max(
      (variance * count / (count - 1)).squareRoot(), Self.minDeviation * effect / count.squareRoot()
    )
    return min(1, 2 * Statistics.studentShare(above: abs(mean) / error, degrees: count - 1))
  }

  /// Returns true if the mean reaches the minimum effect, and chance does not explain it. Nothing but the
  /// program moves single takes of a deterministic subject, so there it is enough that all recordings
  /// agree.
  func isChange(limit: Double, _ rule: VerdictRule) -> Bool {
    abs(mean) >= effect
      && (isSingle && !rule.isRandom && agreeing == rows.count || pValue(limit: limit) <= limit)
  }

  /// Returns the mean that this rule finds with its power; `nil` if there is none.
  func detectable(limit: Double, _ rule: VerdictRule) -> Double? {
    guard let exchanges, !isRandom || 2 * exchanges.minPValue <= limit else {
      return nil
    }
    let reach = NormalDistribution.quantile(rule.power)
    let deviation = Statistics.deviation(rows.map { Statistics.mean($0) ?? 0 }) ?? 0
    let error = isSingle ? deviation / count.squareRoot() : error
    let least = effect + reach * error
    if isSingle, !rule.isRandom {
      // All recordings lie on one side; each does with the root of the probability.
      return max(least, NormalDistribution.quantile(pow(rule.power, 1 / count)) * deviation)
    }
    guard shares.count > 1 else { return nil }
    return max(
      least, (Statistics.studentLimit(level: limit / 2, degrees: count - 1) + reach) * error)
  }
}

extension TakesTable {
  /// Returns the probability that chance alone makes the losses of one recording of a deterministic subject
  /// so much worse, by Student's t of both sides' takes; 1 unless all of the candidate's are worse than all of
  /// the baseline's. There is no chance in what was measured once; one value of several takes tells nothing.
  static func pValue(
    of losses: [Double], above before: [Double], ofTakes takes: Int, effect: Double
  ) -> Double {
    guard let best = losses.min(), let worst = before.max(), best > worst else { return 1 }
    guard let deviation = Statistics.deviation(losses), let other = Statistics.deviation(before)
    else { return takes < 2 ? 0 : 1 }
    let spread = max(
      ((deviation * deviation + other * other) / 2).squareRoot(), minDeviationAlone * effect)
    let change = Statistics.mean(losses)! - Statistics.mean(before)!
    let count = Double(losses.count)
    return Statistics.studentShare(
      above: change / (spread * (2 / count).squareRoot()), degrees: 2 * count - 2)
  }
}
