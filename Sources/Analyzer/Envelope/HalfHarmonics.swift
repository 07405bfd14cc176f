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

  /// Columns for each pair of samples: the samples times cosine and sine of the middle multiple's
  /// phase; cosine and sine of the turn from it to the next multiple, to the one after, and to the
  /// middle of the next pass.
  private var columns: [Two]
  private let rows: Int
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
    rows = (count + 1) / 2
    columns = Self.columns(samples, cosines, sines, rows: rows)
  }

  private static func columns(
    _ samples: [Double], _ cosines: [Double], _ sines: [Double], rows: Int
  ) -> [Two] {
    var columns = [Two](repeating: .zero, count: 8 * rows)
    var column = columns.mutableSpan
    let sample = samples.span
    let cosine = cosines.span
    let sine = sines.span
    for i in 0..<rows {
      let x = Two(sample[2 * i], sample[2 * i + 1])
      let c1 = Two(cosine[2 * i], cosine[2 * i + 1])
      let s1 = Two(sine[2 * i], sine[2 * i + 1])
      let c2: Two = c1 * c1 - s1 * s1
      let s2: Two = (c1 + c1) * s1
      let c4: Two = c2 * c2 - s2 * s2
      let s4: Two = (c2 + c2) * s2
      // The first pass has multiple 2 in its middle.
      column[inBounds: i] = x * c2
      column[inBounds: rows &+ i] = x * s2
      column[inBounds: 2 &* rows &+ i] = c1
      column[inBounds: 3 &* rows &+ i] = s1
      column[inBounds: 4 &* rows &+ i] = c2
      column[inBounds: 5 &* rows &+ i] = s2
      column[inBounds: 6 &* rows &+ i] = c4 * c1 - s4 * s1
      column[inBounds: 7 &* rows &+ i] = s4 * c1 + c4 * s1
    }
    return columns
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
    let rows = self.rows
    var column = columns.mutableSpan
    var (re, im) = (Two.zero, Two.zero)
    var (reC1, imC1, reS1, imS1) = (Two.zero, Two.zero, Two.zero, Two.zero)
    var (reC2, imC2, reS2, imS2) = (Two.zero, Two.zero, Two.zero, Two.zero)
    for i in 0..<rows {
      let (x, y) = (column[inBounds: i], column[inBounds: rows &+ i])
      let (c1, s1) = (column[inBounds: 2 &* rows &+ i], column[inBounds: 3 &* rows &+ i])
      let (c2, s2) = (column[inBounds: 4 &* rows &+ i], column[inBounds: 5 &* rows &+ i])
      let (c5, s5) = (column[inBounds: 6 &* rows &+ i], column[inBounds: 7 &* rows &+ i])
      re += x
      im += y
      reC1 += x * c1
      imC1 += y * c1
      reS1 += x * s1
      imS1 += y * s1
      reC2 += x * c2
      imC2 += y * c2
      reS2 += x * s2
      imS2 += y * s2
      let (nextX, nextY): (Two, Two) = (x * c5 - y * s5, x * s5 + y * c5)
      column[inBounds: i] = nextX
      column[inBounds: rows &+ i] = nextY
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
