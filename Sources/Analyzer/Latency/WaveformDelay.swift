import DSP
import Foundation

/// The delay of a sound that is otherwise nearly unchanged: the lag at which the waveforms
/// correlate best, to a fraction of a sample.
///
/// The whole of both sounds is correlated, so that the onset and end identify a sung note, which
/// looks the same one period later. A change of pitch by a few cents destroys the correlation; use
/// `OnsetDelay` for that.
///
/// - Cost: two Fourier transforms of both sounds' length. Allocates.
/// - Source: Knapp and Carter, "The generalized correlation method for estimation of time delay",
///   IEEE Trans. ASSP 24(4), 1976, without weighting.
public struct WaveformDelay: Equatable, Sendable {
  /// Delay in samples; negative if the output is early.
  public var delaySamples: Double
  public var delayMs: Double
  /// Correlation at that lag, -1 (inverted) to 1.
  public var correlation: Double
  /// Share of the energy unexplained at this lag over that at the next best lag: near 1 if the lag may
  /// as well be another one, as in a steady note, which looks the same one period later.
  public var ambiguity: Double

  /// - Parameters:
  ///   - longestMs: maximum lag searched in either direction.
  ///   - minCorrelation: minimum correlation of an answer.
  public init(
    of output: Signal, from input: Signal, longestMs: Double = 500, minCorrelation: Double = 0.6
  ) throws(Unmeasurable) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    guard input.firstNonFinite == nil, output.firstNonFinite == nil else {
      throw Unmeasurable(.notFinite, "one of the sounds has samples that are not numbers")
    }
    let (input, output) = (input.withoutInfrasound(), output.withoutInfrasound())
    let energy = input.rms * output.rms * (Double(input.count) * Double(output.count)).squareRoot()
    guard energy > 0 else { throw Unmeasurable(.silent, "one of the sounds is silent") }
    let rateHz = input.sampleRateHz
    let longest = min(Int(longestMs / 1000 * rateHz), max(input.count, output.count) - 1)
    let values = Self.correlation(of: output, from: input, longest: longest).map { $0 / energy }
    let best = values.indices.max { abs(values[$0]) < abs(values[$1]) }!
    correlation = values[best]
    guard abs(correlation) >= minCorrelation else {
      throw Unmeasurable(
        .uncorrelated,
        "the waveforms don't correlate (correlation \((correlation * 100).rounded() / 100))")
    }
    ambiguity = Self.ambiguity(of: best, in: values.map(abs))
    delaySamples = Double(best - longest) + Self.offset(of: best, in: values)
    delayMs = delaySamples / rateHz * 1000
  }

  /// Share of unexplained energy from which another lag explains a sound as well: a tenth more is less
  /// than what an equalizer or a compressor leaves unexplained.
  public static let maxAmbiguity = 0.9

  /// Returns the unexplained energy at the best correlation over that at the next highest local maximum.
  ///
  /// - Parameter apart: places within which values belong to the best.
  static func ambiguity(of best: Int, in values: [Double], apart: Int = 1) -> Double {
    var next = 0.0
    for i in values.indices.dropFirst().dropLast()
    where values[i] > next && abs(i - best) > apart && values[i] >= values[i - 1]
      && values[i] >= values[i + 1]
    {
      next = values[i]
    }
    return max(0, 1 - values[best] * values[best]) / max(1 - next * next, 1e-12)
  }

  /// The correlation at lags from `-longest` to `longest`.
  static func correlation(of output: Signal, from input: Signal, longest: Int) -> [Double] {
    let needed = max(input.count, output.count) + longest + 1
    let count = powerOfTwo(above: needed)
    var a = FourierTransform(count: count)
    var b = FourierTransform(count: count)
    a.forward(input.samples.span)
    b.forward(output.samples.span)
    var product = b.spectrum
    for bin in 0..<a.binCount {
      let (x, y) = (a[bin], product[bin])
      product[bin] = ComplexFloat(y.re * x.re + y.im * x.im, y.im * x.re - y.re * x.im)
    }
    b.inverse()
    let sums = b.samples
    return (-longest...longest).map { Double(sums[($0 + count) % count]) / Double(count) }
  }

  /// The fractional offset of a peak from its index, by a parabola through its neighbours.
  private static func offset(of best: Int, in values: [Double]) -> Double {
    guard best > 0, best + 1 < values.count else { return 0 }
    let (below, here, above) = (values[best - 1], values[best], values[best + 1])
    // An inverted waveform has a minimum there.
    let offset = peakOffset(below, here, above) ?? peakOffset(-below, -here, -above) ?? 0
    return max(-0.5, min(0.5, offset))
  }
}
