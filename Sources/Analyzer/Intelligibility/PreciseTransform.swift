import Foundation

/// The power spectrum of a real frame in double precision.
///
/// `FourierTransform` has single precision: its rounding lies 140 dB below the loudest partial, but
/// a correlation weights the faintest band as much as the loudest. Zeros give exact zeros here.
///
/// - Allocates: one array per call.
/// - Source: Press et al., "Numerical Recipes", 12.2 and 12.3.2: the even samples as real and the
///   odd as imaginary parts of a transform of half the length.
struct PreciseTransform {
  private let half: Int
  private let order: [Int]
  /// Twiddle factors exp(-2πik / count), for k up to half the length.
  private let turns: [(re: Double, im: Double)]
  private var re: [Double]
  private var im: [Double]

  /// - Parameter count: a power of two.
  init(count: Int) {
    precondition(count >= 4 && count & (count - 1) == 0, "a power of two")
    let half = count / 2
    self.half = half
    let bits = half.trailingZeroBitCount
    order = (0..<half).map { index in
      (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
    }
    turns = (0...half).map { k in
      let angle = -2 * Double.pi * Double(k) / Double(count)
      return (cos(angle), sin(angle))
    }
    re = Array(repeating: 0, count: half)
    im = re
  }

  /// Returns the squared magnitudes of `frame`, padded with zeros, from 0 to half the sample rate.
  mutating func power(of frame: [Double]) -> [Double] {
    for (index, place) in order.enumerated() {
      re[place] = 2 * index < frame.count ? frame[2 * index] : 0
      im[place] = 2 * index + 1 < frame.count ? frame[2 * index + 1] : 0
    }
    transformHalf()
    return (0...half).map { k in
      let (a, b) = (k % half, (half - k) % half)
      let even = (re: (re[a] + re[b]) / 2, im: (im[a] - im[b]) / 2)
      let odd = (re: (im[a] + im[b]) / 2, im: (re[b] - re[a]) / 2)
      let turn = turns[k]
      let x = even.re + turn.re * odd.re - turn.im * odd.im
      let y = even.im + turn.re * odd.im + turn.im * odd.re
      return x * x + y * y
    }
  }

  private mutating func transformHalf() {
    var size = 1
    while size < half {
      let step = half / size  // in `turns`, one turn of which spans twice the half length
      for start in stride(from: 0, to: half, by: 2 * size) {
        for k in 0..<size {
          let (a, b, turn) = (start + k, start + k + size, turns[k * step])
          let x = re[b] * turn.re - im[b] * turn.im
          let y = re[b] * turn.im + im[b] * turn.re
          (re[b], im[b]) = (re[a] - x, im[a] - y)
          (re[a], im[a]) = (re[a] + x, im[a] + y)
        }
      }
      size *= 2
    }
  }
}
