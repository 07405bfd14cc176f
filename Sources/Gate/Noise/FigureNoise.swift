import Foundation
import Metrics
import Statistics

/// The noise of every figure: how far it moves while nothing audible changes.
///
/// Variances come from the takes of both sides. A recording borrows from its figure, and a figure from
/// its metric, as if each had seen four more takes like the usual ones; so a handful of takes is
/// enough, and a recording that happened to be quiet is not trusted alone. What is borrowed is the
/// median of the variances, so that one restless recording does not hide changes of the others.
struct FigureNoise: Sendable {
  /// Probability that noise moves one figure beyond its limit: a gate of a thousand figures raises
  /// one false alarm in a thousand runs.
  static let level = 1e-6
  /// Takes that a recording borrows from its figure, and recordings that a figure borrows from its
  /// metric.
  private static let borrowed = 4.0
  /// Least share of the mean variance that is borrowed, where most variances are 0.
  private static let leastShare = 0.1

  /// Squared deviations from the mean of a cell's takes, with their degrees of freedom.
  private struct Spread {
    var squares = 0.0
    var degrees = 0.0

    mutating func add(_ values: [Double]) {
      guard values.count > 1, let mean = Statistics.mean(values) else { return }
      squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      degrees += Double(values.count - 1)
    }

    var variance: Double? { degrees > 0 ? squares / degrees : nil }
  }

  /// Returns the usual variance among several.
  private static func usual(_ variances: [Double]) -> Double {
    guard let median = Statistics.median(variances), let mean = Statistics.mean(variances) else {
      return 0
    }
    return max(median, leastShare * mean)
  }

  /// The takes of one figure.
  private struct Figure {
    var byRecording: [String: Spread] = [:]
    var variances: [Double] { byRecording.values.compactMap(\.variance) }
    /// Most takes of one cell on either side.
    var takes = (baseline: 1, candidate: 1)
    var baselinePresent = (count: 0, of: 0)
    var candidatePresent = (count: 0, of: 0)
  }

  private var figures: [FigureKey: Figure] = [:]
  /// Usual variance by metric.
  private var metrics: [String: Double] = [:]
  /// True if single takes are compared, not medians.
  private let isSingle: Bool

  init(baseline: Takes, candidate: Takes) {
    isSingle = candidate.perturbations == 0
    add(baseline) { figure, values, present in
      figure.takes.baseline = max(figure.takes.baseline, values)
      figure.baselinePresent = (
        figure.baselinePresent.count + present, figure.baselinePresent.of + values
      )
    }
    add(candidate) { figure, values, present in
      figure.takes.candidate = max(figure.takes.candidate, values)
      figure.candidatePresent = (
        figure.candidatePresent.count + present, figure.candidatePresent.of + values
      )
    }
    metrics = Dictionary(grouping: figures.keys, by: \.figure.metric).compactMapValues { keys in
      let variances = keys.flatMap { figures[$0]!.variances }
      return variances.isEmpty ? nil : Self.usual(variances)
    }
  }

  private mutating func add(
    _ takes: Takes, _ count: (inout Figure, _ takes: Int, _ present: Int) -> Void
  ) {
    for cell in takes.cells {
      takes.forEachFigure(of: cell) { id, all in
        let values = all.compactMap(\.self)
        let key = cell.address.key(of: id)
        figures[key, default: Figure()]
          .byRecording[cell.address.recording, default: Spread()].add(values)
        count(&figures[key]!, all.count, values.count)
      }
    }
  }

  /// The largest changes that noise explains.
  struct Limits: Sendable {
    /// Weights of the recordings in the mean; they sum to 1.
    var weights: [Double]
    /// Limit of the weighted mean over recordings.
    var mean: Double
    /// Standard error of that mean.
    var error: Double
    /// Limit of each recording.
    var recordings: [Double]
  }

  /// Returns the limits of a figure's change; `nil` if its noise is not known.
  ///
  /// A recording weighs the less, the more noise moves it beyond the minimum effect.
  ///
  /// - Parameters:
  ///   - recordings: the recordings with the number of their cells.
  ///   - effect: minimum effect.
  func limits(
    of key: FigureKey, _ recordings: [(name: String, cells: Int)], effect: Double
  ) -> Limits? {
    guard let figure = figures[key], let metric = metrics[key.figure.metric], !recordings.isEmpty
    else { return nil }
    let known = figure.variances
    let usual =
      (Self.borrowed * metric + Double(known.count) * Self.usual(known))
      / (Self.borrowed + Double(known.count))
    let share =
      isSingle
      ? 2
      : Self.shareOfVariance(figure.takes.baseline) + Self.shareOfVariance(figure.takes.candidate)
    let noise = recordings.map { name, cells -> (variance: Double, degrees: Double) in
      let spread = figure.byRecording[name] ?? Spread()
      let degrees = spread.degrees + Self.borrowed
      let variance = (spread.squares + Self.borrowed * usual) / degrees
      return (share * variance / Double(cells), degrees)
    }
    let raw = noise.map { 1 / ($0.variance + effect * effect) }
    let weights = raw.map { $0 / raw.reduce(0, +) }
    let parts = zip(weights, noise).map { $0 * $0 * $1.variance }
    let sum = parts.reduce(0, +)
    // Welch and Satterthwaite's degrees of a sum of variances.
    let degrees =
      sum > 0 ? sum * sum / zip(parts, noise).reduce(0) { $0 + $1.0 * $1.0 / $1.1.degrees } : 1
    return Limits(
      weights: weights, mean: Self.errors(degrees) * sum.squareRoot(), error: sum.squareRoot(),
      recordings: noise.map { Self.errors($0.degrees) * $0.variance.squareRoot() })
  }

  /// Returns the standard errors that noise exceeds with a probability of `level`.
  private static func errors(_ degrees: Double) -> Double {
    Statistics.studentLimit(level: level, degrees: degrees)
  }

  /// Returns the variance of a median of `takes` values in variances of one value.
  private static func shareOfVariance(_ takes: Int) -> Double {
    // The limit for many normal values, which exceeds that of five by a tenth.
    takes < 3 ? 1 / Double(takes) : .pi / 2 / Double(takes)
  }

  /// Returns the p-value that a figure is present in equal shares of both sides' takes; `nil` without
  /// takes of both.
  func presencePValue(of key: FigureKey) -> Double? {
    guard let figure = figures[key], figure.takes.baseline > 1 else { return nil }
    let (was, now) = (figure.baselinePresent, figure.candidatePresent)
    guard was.of > 0, now.of > 0 else { return nil }
    return Proportion(now.count, of: now.of).pValue(against: Proportion(was.count, of: was.of))
  }
}
