import DSP

/// How late a sound comes out of a system that changes its pitch: the lag at which the loudness of
/// the two runs best together.
///
/// Waveforms of different pitch don't correlate; loudness over a few milliseconds does, wherever
/// the sound has beginnings and ends. One delay for the whole sound; `EventDelay` says how much it
/// differs from one beginning to the next.
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
    let (a, b) = (LoudnessCurve(of: input), LoudnessCurve(of: output))
    guard !a.isSilent, !b.isSilent else { throw .silent }
    let steps = longestMs / LoudnessCurve.stepMs
    let found = a.bestLag(of: b, in: -Int(steps / 4)...Int(steps))
    correlation = found.correlation
    guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
    guard let lag = found.lag else { throw .atEdge(Double(found.end) * LoudnessCurve.stepMs) }
    delayMs = lag * LoudnessCurve.stepMs
  }
}
