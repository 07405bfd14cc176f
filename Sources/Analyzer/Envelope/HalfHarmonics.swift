import DSP
import Foundation

/// Sums the power of a gliding voice at each multiple of half its pitch, under a Hann taper of four
/// cycles.
struct HalfHarmonics {
  private typealias Two = SIMD2<Double>

  /// Number of samples after which phases are computed anew, so that rounding errors don't grow.
  private static let renewal = 32
  /// Number of multiples whose power is summed in one pass.
  private static let perPass = 5

  /// A pair of samples.
  private struct Pair {
    /// The samples times cosine and sine of the middle multiple's phase.
    var (x, y): (Two, Two)
    /// Cosine and sine of the turn from that multiple to the next, to the one after, and to the middle
    /// of the next pass.
    let (c1, s1, c2, s2, c5, s5): (Two, Two, Two, Two, Two, Two)

    init(_ sample: Two, cosine c1: Two, sine s1: Two) {
      let c2: Two = c1 * c1 - s1 * s1
      let s2: Two = (c1 + c1) * s1
      let c4: Two = c2 * c2 - s2 * s2
      let s4: Two = (c2 + c2) * s2
      // The first pass has multiple 2 in its middle.
      (x, y) = (sample * c2, sample * s2)
      (self.c1, self.s1, self.c2, self.s2) = (c1, s1, c2, s2)
      (c5, s5) = (c4 * c1 - s4 * s1, s4 * c1 + c4 * s1)
    }
  }

  private var pairs: [Pair]
  /// Sum of the taper.
  let weightSum: Double

  /// - Parameters:
  ///   - time: middle of the taper.
  ///   - reach: number of samples read to either side, more than two cycles.
  init(
    _ signal: Signal, around time: Double, f0Hz: Double, slopeHzPerSecond slope: Double, reach: Int
  ) {
    let rateHz = signal.sampleRateHz
    let middle = Int((time * rateHz).rounded())
    precondition(middle >= reach && middle + reach < signal.count, "a stretch inside the sound")
    let sound = signal.samples.span
    let most = 2 * reach + 2
    var samples = [Double](repeating: 0, count: most)
    var (cosines, sines) = (samples, samples)
    var count = 0
    var sum = 0.0
    func cycle(_ t: Double) -> Double { f0Hz * t + slope * t * t / 2 }
    // The phase is that of half a multiple, by whose cosine the taper falls. It is a parabola, so
    // two products lead from one sample to the next.
    let (half, step) = (Double.pi / 2, 1 / rateHz)
    let bend = Complex(angle: half * slope * step * step)
    var (phase, turn) = (Complex(), Complex())
    var left = 0
    for n in (middle - reach)...(middle + reach) {
      let t = Double(n) / rateHz - time
      let place = cycle(t)
      if left == 0 {
        left = Self.renewal
        phase = Complex(angle: half * place)
        turn = Complex(angle: half * (cycle(t + step) - place))
      } else {
        phase = phase * turn
        turn = turn * bend
      }
      left -= 1
      guard abs(place) < 2 else { continue }
      let weight = (0.5 + 0.5 * phase.re) * (f0Hz + slope * t)
      guard weight > 0 else { continue }
      samples[count] = Double(sound[n]) * weight
      cosines[count] = phase.re * phase.re - phase.im * phase.im
      sines[count] = 2 * phase.re * phase.im
      count += 1
      sum += weight
    }
    weightSum = sum
    pairs = stride(from: 0, to: count, by: 2).map { i in
      Pair(
        Two(samples[i], samples[i + 1]), cosine: Two(cosines[i], cosines[i + 1]),
        sine: Two(sines[i], sines[i + 1]))
    }
  }

  /// Returns the power at multiples 0, 1, 2 ... `halves` of half the pitch. Call it once only: the
  /// samples' phases move on.
  mutating func powers(_ halves: Int) -> [Double] {
    var powers: [Double] = []
    powers.reserveCapacity(halves + Self.perPass)
    while powers.count <= halves { powers += pass() }
    powers.removeLast(powers.count - halves - 1)
    return powers
  }

  /// Returns the power at the multiples around the middle one, and moves that on.
  ///
  /// Products with cosine and sine of a turn serve both the multiple above and the one below.
  private mutating func pass() -> [Double] {
    var (re, im) = (Two.zero, Two.zero)
    var (reC1, imC1, reS1, imS1) = (Two.zero, Two.zero, Two.zero, Two.zero)
    var (reC2, imC2, reS2, imS2) = (Two.zero, Two.zero, Two.zero, Two.zero)
    for i in pairs.indices {
      let pair = pairs[i]
      re += pair.x
      im += pair.y
      reC1 += pair.x * pair.c1
      imC1 += pair.y * pair.c1
      reS1 += pair.x * pair.s1
      imS1 += pair.y * pair.s1
      reC2 += pair.x * pair.c2
      imC2 += pair.y * pair.c2
      reS2 += pair.x * pair.s2
      imS2 += pair.y * pair.s2
      pairs[i].x = pair.x * pair.c5 - pair.y * pair.s5
      pairs[i].y = pair.x * pair.s5 + pair.y * pair.c5
    }
    func power(_ re: Two, _ im: Two) -> Double {
      let (a, b) = (re.sum(), im.sum())
      return a * a + b * b
    }
    return [
      power(reC2 + imS2, imC2 - reS2), power(reC1 + imS1, imC1 - reS1), power(re, im),
      power(reC1 - imS1, imC1 + reS1), power(reC2 - imS2, imC2 + reS2),
    ]
  }
}
