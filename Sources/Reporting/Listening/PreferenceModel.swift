import Foundation
import Statistics

/// Strengths of systems from pairwise preferences.
///
/// The probability that system i is preferred to system j is the logistic function of the difference
/// of their strengths; no difference heard counts as half a preference for each. The strengths have a
/// mean of 0. Each system gets two wins and two losses more, shared among its rivals, so that one that
/// always wins stays finite and is no surer than its number of trials allows.
///
/// The intervals are those of the jackknife over listeners, so they hold for other listeners on the same
/// clips. Listeners who agree by chance, as three who prefer the same choir once each, have no spread;
/// where the jackknife sees less than half of the spread that chance alone gives, the curvature of the
/// likelihood takes its place.
///
/// - Source: Bradley and Terry, "Rank analysis of incomplete block designs: the method of paired
///   comparisons", Biometrika 39, 1952; Agresti and Coull, "Approximate is better than exact for interval
///   estimation of binomial proportions", Am. Stat. 52, 1998, for the two wins and losses.
struct PreferenceModel: Equatable {
  /// Wins by winner and loser; halves for no difference.
  typealias Wins = [[Double]]

  let strengths: [Double]
  let intervals: [ClosedRange<Double>]
  /// Standard errors of the strengths.
  let errors: [Double]
  private let differenceErrors: [[Double]]
  private static let addedWins = 2.0
  /// Keeps the common level of all strengths, which no preference tells, at 0.
  private static let levelPrecision = 1e-6

  /// - Parameter wins: those of each listener, at least two.
  init(_ wins: [Wins]) {
    precondition(wins.count > 1, "a jackknife leaves out one of several")
    let count = wins[0].count
    let added = Self.addedWins / Double(max(1, count - 1))
    let start = (0..<count).map { i in (0..<count).map { $0 == i ? 0 : added } }
    let whole = wins.reduce(start) { Self.sum($0, $1, sign: 1) }
    let all = Self.fit(whole)
    let without = wins.map { Self.fit(Self.sum(whole, $0, sign: -1)) }
    let listeners = Double(wins.count)
    let limit = Statistics.studentLimit(level: 0.025, degrees: listeners - 1)
    func error(_ value: ([Double]) -> Double) -> Double {
      let values = without.map(value)
      let mean = values.reduce(0, +) / listeners
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return ((listeners - 1) / listeners * squares).squareRoot()
    }
    let curvature = Self.slope(whole, all).curvature
    func error(_ contrast: [Double]) -> Double {
      func value(_ strengths: [Double]) -> Double {
        zip(contrast, strengths).reduce(0) { $0 + $1.0 * $1.1 }
      }
      let likely = value(Self.solution(of: curvature, contrast))
      let (seen, byChance) = (error(value), max(0, likely).squareRoot())
      return seen < byChance / 2 ? byChance : seen
    }
    let systems = all.indices
    errors = systems.map { system in
      error(systems.map { ($0 == system ? 1 : 0) - 1 / Double(systems.count) })
    }
    differenceErrors = systems.map { a in
      systems.map { b in error(systems.map { ($0 == a ? 1 : 0) - ($0 == b ? 1 : 0) }) }
    }
    strengths = all
    intervals = zip(all, errors).map { $0 - limit * $1...$0 + limit * $1 }
  }

  /// Returns the standard error of the difference of two strengths.
  func error(ofDifference a: Int, _ b: Int) -> Double { differenceErrors[a][b] }

  private static func sum(_ a: Wins, _ b: Wins, sign: Double) -> Wins {
    zip(a, b).map { zip($0, $1).map { $0 + sign * $1 } }
  }

  /// Newton's method on the penalized likelihood, which is concave.
  private static func fit(_ wins: Wins) -> [Double] {
    var strengths = [Double](repeating: 0, count: wins.count)
    for _ in 0..<100 {
      let (gradient, curvature) = slope(wins, strengths)
      let step = solution(of: curvature, gradient)
      for i in strengths.indices { strengths[i] += min(max(step[i], -2), 2) }
      if step.allSatisfy({ abs($0) < 1e-10 }) { break }
    }
    let mean = strengths.reduce(0, +) / Double(strengths.count)
    return strengths.map { $0 - mean }
  }

  /// Returns the gradient of the penalized log-likelihood, and its second derivatives with the sign
  /// changed.
  private static func slope(
    _ wins: Wins, _ strengths: [Double]
  ) -> (gradient: [Double], curvature: [[Double]]) {
    let count = wins.count
    var gradient = strengths.map { -levelPrecision * $0 }
    var curvature = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for i in 0..<count {
      curvature[i][i] += levelPrecision
      for j in 0..<count where j != i {
        let trials = wins[i][j] + wins[j][i]
        let share = 1 / (1 + exp(strengths[j] - strengths[i]))
        gradient[i] += wins[i][j] - trials * share
        curvature[i][i] += trials * share * (1 - share)
        curvature[i][j] -= trials * share * (1 - share)
      }
    }
    return (gradient, curvature)
  }

  /// Solves a small positive definite system by elimination.
  private static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double] {
    var (a, b) = (matrix, right)
    let count = b.count
    for pivot in 0..<count {
      for row in pivot + 1..<max(count, pivot + 1) {
        let factor = a[row][pivot] / a[pivot][pivot]
        for column in pivot..<count { a[row][column] -= factor * a[pivot][column] }
        b[row] -= factor * b[pivot]
      }
    }
    for row in (0..<count).reversed() {
      for column in row + 1..<max(count, row + 1) { b[row] -= a[row][column] * b[column] }
      b[row] /= a[row][row]
    }
    return b
  }
}
