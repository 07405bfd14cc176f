import DSP
import Foundation
import Statistics

/// Strengths of systems from pairwise preferences.
///
/// The probability that system i is preferred to system j is the logistic function of the difference
/// of their strengths; no difference heard counts as half a preference for each. The strengths have a
/// mean of 0. A weak prior, a normal deviation of 4.5, keeps a system that always wins finite. The
/// intervals are those of the jackknife over listeners, so they hold for other listeners on the same
/// clips.
///
/// - Source: Bradley and Terry, "Rank analysis of incomplete block designs: the method of paired
///   comparisons", Biometrika 39, 1952; Hunter, "MM algorithms for generalized Bradley-Terry models",
///   Ann. Stat. 32, 2004.
struct PreferenceModel: Equatable {
  /// Wins by winner and loser; halves for no difference.
  typealias Wins = [[Double]]

  let strengths: [Double]
  let intervals: [ClosedRange<Double>]
  /// Standard errors of the strengths.
  let errors: [Double]
  private let differenceErrors: [[Double]]
  private static let priorPrecision = 0.05

  /// - Parameter wins: those of each listener, at least two.
  init(_ wins: [Wins]) {
    precondition(wins.count > 1, "a jackknife leaves out one of several")
    let whole = wins.dropFirst().reduce(wins[0]) { Self.sum($0, $1, sign: 1) }
    let all = Self.fit(whole)
    let without = wins.map { Self.fit(Self.sum(whole, $0, sign: -1)) }
    let count = Double(wins.count)
    let limit = Statistics.studentLimit(level: 0.025, degrees: count - 1)
    func error(_ value: ([Double]) -> Double) -> Double {
      let values = without.map(value)
      let mean = values.reduce(0, +) / count
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return ((count - 1) / count * squares).squareRoot()
    }
    errors = all.indices.map { system in error { $0[system] } }
    differenceErrors = all.indices.map { a in all.indices.map { b in error { $0[a] - $0[b] } } }
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
    let count = wins.count
    var strengths = [Double](repeating: 0, count: count)
    for _ in 0..<100 {
      var gradient = strengths.map { -priorPrecision * $0 }
      var curvature = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
      for i in 0..<count {
        curvature[i][i] += priorPrecision
        for j in 0..<count where j != i {
          let trials = wins[i][j] + wins[j][i]
          let share = 1 / (1 + exp(strengths[j] - strengths[i]))
          gradient[i] += wins[i][j] - trials * share
          curvature[i][i] += trials * share * (1 - share)
          curvature[i][j] -= trials * share * (1 - share)
        }
      }
      let step = solution(of: curvature, gradient)
      for i in 0..<count { strengths[i] += min(max(step[i], -2), 2) }
      if step.allSatisfy({ abs($0) < 1e-10 }) { break }
    }
    let mean = strengths.reduce(0, +) / Double(count)
    return strengths.map { $0 - mean }
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
