import Foundation
import Statistics

extension FigureNoise {
  /// Probability that chance alone lets the takes of a figure scatter more on the candidate's side.
  private static let levelOfGrowth = 1e-4
  /// Least probability of a single recording: one take that slips proves nothing.
  private static let minOfRecording = 0.005
  /// Share of the minimum effect below which a deviation is none.
  private static let minDeviation = 0.1

  /// Returns true if the candidate's takes scatter more than the baseline's in several recordings. A fault
  /// that depends on the last bits of the input must not hide in the noise that it makes itself. Rare
  /// events have no normal noise, and tests of their own.
  ///
  /// - Source: the probabilities of the recordings are combined as by Fisher, "Statistical Methods for
  ///   Research Workers", 1932, section 21.1.
  func hasGrown(_ key: FigureKey, effect: Double) -> Bool {
    guard !isSingle, !RareEvents.metrics.contains(key.figure.metric),
      let was = before.figures[key], let now = after.figures[key]
    else { return false }
    let floor = Self.minDeviation * effect * Self.minDeviation * effect
    let probabilities = now.compactMap { recording, spread -> Double? in
      guard let old = was[recording], let oldVariance = old.variance, let variance = spread.variance
      else { return nil }
      return VarianceRatioTest(
        ratio: variance / max(oldVariance, floor), degrees: (spread.degrees, old.degrees)
      ).pValue
    }
    let evidence = -probabilities.reduce(0) { $0 + log(max(Self.minOfRecording, $1)) }
    // Half of a chi-square with two degrees for each recording.
    var (term, sum) = (exp(-evidence), 0.0)
    for place in probabilities.indices {
      sum += term
      term *= evidence / Double(place + 1)
    }
    return !probabilities.isEmpty && sum <= Self.levelOfGrowth
  }
}
