import DSP
import Foundation

/// How late a sound comes out of a system that changes its pitch: the lag at which the loudness of
/// the two runs best together.
///
/// Waveforms of different pitch don't correlate; loudness over a few milliseconds does, wherever
/// the sound has beginnings and ends.
public struct OnsetDelay: Equatable, Sendable {
  public var delayMs: Double
  /// Correlation of the two loudness curves at that lag, -1 to 1.
  public var correlation: Double

  /// Why there is no number.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case silent
    case uncorrelated(Double)
    case atEdge(Double)

    public var description: String {
      switch self {
      case .silent: "the input or the output is silent"
      case .uncorrelated(let value):
        "the loudness of input and output don't run together (correlation "
          + "\((value * 100).rounded() / 100))"
      case .atEdge(let ms): "the best lag lies at the end of the search, \(ms) ms"
      }
    }
  }

  /// - Parameters:
  ///   - longestMs: lags up to this are searched, and a quarter of it below zero.
  ///   - leastCorrelation: below this the answer would be a guess.
  public init(
    of output: Signal, from input: Signal, longestMs: Double = 250, leastCorrelation: Double = 0.7
  ) throws(Failure) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let stepMs = 0.5
    let (a, b) = (Self.loudness(input, stepMs), Self.loudness(output, stepMs))
    guard a.contains(where: { $0 > 0 }), b.contains(where: { $0 > 0 }) else { throw .silent }
    let (first, last) = (-Int(longestMs / 4 / stepMs), Int(longestMs / stepMs))
    let correlations = (first...last).map { Self.correlation(a, b, lag: $0) }
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }!
    correlation = correlations[best]
    guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
    guard best > 0, best < correlations.count - 1 else {
      throw .atEdge(Double(first + best) * stepMs)
    }
    let (below, above) = (correlations[best - 1], correlations[best + 1])
    let curvature = below - 2 * correlation + above
    let offset = curvature < 0 ? (below - above) / (2 * curvature) : 0
    delayMs = (Double(first + best) + offset) * stepMs
  }

  /// Root mean square under a window of 6 ms, every `stepMs`.
  private static func loudness(_ signal: Signal, _ stepMs: Double) -> [Double] {
    let step = stepMs / 1000 * signal.sampleRateHz
    let half = 0.003 * signal.sampleRateHz
    var sums = [0.0]
    sums.reserveCapacity(signal.count + 1)
    for sample in signal.samples { sums.append(sums.last! + Double(sample) * Double(sample)) }
    return (0..<Int(Double(signal.count) / step)).map { index in
      let centre = Double(index) * step
      let from = max(0, Int(centre - half))
      let to = min(signal.count, Int(centre + half))
      return max(0, (sums[to] - sums[from]) / Double(to - from)).squareRoot()
    }
  }

  /// Of `b`, `lag` steps later, with `a`, over where both are.
  private static func correlation(_ a: [Double], _ b: [Double], lag: Int) -> Double {
    let from = max(0, -lag)
    let to = min(a.count, b.count - lag)
    guard to - from > 20 else { return 0 }
    let count = Double(to - from)
    var (sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in from..<to {
      let (x, y) = (a[i], b[i + lag])
      sumA += x
      sumB += y
      squareA += x * x
      squareB += y * y
      product += x * y
    }
    let varianceA = squareA - sumA * sumA / count
    let varianceB = squareB - sumB * sumB / count
    guard varianceA > 1e-12 * squareA, varianceB > 1e-12 * squareB else { return 0 }
    return (product - sumA * sumB / count) / (varianceA * varianceB).squareRoot()
  }
}
