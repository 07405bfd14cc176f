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
    let products = Self.correlation(of: output, from: input, longest: longest)
    let energies = Self.overlapEnergies(of: output, from: input, longest: longest)
    let values = zip(products, energies).map { $0 / max($1, Self.minOverlap * energy) }
    let found = Self.highestPeak(of: values)
    correlation = found.height
    guard abs(correlation) >= minCorrelation else {
      throw Unmeasurable(
        .uncorrelated,
        "the waveforms don't correlate (correlation \((correlation * 100).rounded() / 100))")
    }
    ambiguity = found.ambiguity
    delaySamples = found.place - Double(longest)
    delayMs = delaySamples / rateHz * 1000
  }

  /// Smallest energy that a correlation is relative to, as a share of all.
  private static let minOverlap = 0.5

  /// Returns the geometric mean of the energies that overlap at each lag: a steady note that goes on
  /// beyond both ends would otherwise fit better at a shorter lag.
  private static func overlapEnergies(
    of output: Signal, from input: Signal, longest: Int
  ) -> [Double] {
    let (a, b) = (input.runningEnergy, output.runningEnergy)
    return (-longest...longest).map { lag in
      let from = max(0, -lag)
      let to = max(from, min(input.count, output.count - lag))
      guard from < to else { return 0 }
      return max(0, (a[to] - a[from]) * (b[to + lag] - b[from + lag])).squareRoot()
    }
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
    return ambiguity(of: values[best], beside: next)
  }

  private static func ambiguity(of best: Double, beside next: Double) -> Double {
    max(0, 1 - best * best) / max(1 - next * next, 1e-12)
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

  /// Height of a maximum, relative to the highest, from which it may be higher between the samples.
  private static let nearlyHighest = 0.9

  /// Returns the highest maximum or lowest minimum between the samples, and its ambiguity.
  ///
  /// The maxima of a steady note one period apart differ by less than a maximum and its nearest
  /// sample, so they are compared between the samples.
  static func highestPeak(
    of values: [Double]
  ) -> (place: Double, height: Double, ambiguity: Double) {
    let sizes = values.map(abs)
    let highest = values.indices.max { sizes[$0] < sizes[$1] }!
    let inner = values.indices.dropFirst().dropLast()
    let peaks = inner.filter { i in
      sizes[i] >= nearlyHighest * sizes[highest] && sizes[i] >= sizes[i - 1]
        && sizes[i] > sizes[i + 1]
    }.map { peak(near: $0, of: values) }
    guard inner.contains(highest), let best = peaks.max(by: { abs($0.height) < abs($1.height) })
    else { return (Double(highest), values[highest], ambiguity(of: highest, in: sizes)) }
    let next = peaks.filter { abs($0.place - best.place) > 1 }.map { abs($0.height) }.max()
    return (best.place, best.height, ambiguity(of: abs(best.height), beside: min(1, next ?? 0)))
  }

  /// Number of samples to either side that interpolation uses.
  private static let reach = 16

  /// Returns the extremum near a sample, by interpolation with a sinc under a Hann window.
  private static func peak(
    near index: Int, of values: [Double]
  ) -> (place: Double, height: Double) {
    func value(_ offset: Double) -> Double {
      var sum = 0.0
      for i in max(0, index - reach)...min(values.count - 1, index + reach) {
        let x = Double(i - index) - offset
        let angle = Double.pi * x
        let sinc = abs(x) < 1e-9 ? 1 : sin(angle) / angle
        sum += values[i] * sinc * (0.5 + 0.5 * cos(angle / Double(reach + 1)))
      }
      return sum
    }
    var offset = offset(of: index, in: values)
    for step in [0.1, 0.01] {
      let (below, here, above) = (value(offset - step), value(offset), value(offset + step))
      let move = peakOffset(below, here, above) ?? peakOffset(-below, -here, -above) ?? 0
      offset += step * max(-5, min(5, move))
    }
    return (Double(index) + offset, value(offset))
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

extension Signal {
  /// Energies of the first 0, 1, 2 and more samples.
  var runningEnergy: [Double] { samples.map { Double($0) * Double($0) }.runningSums }
}
