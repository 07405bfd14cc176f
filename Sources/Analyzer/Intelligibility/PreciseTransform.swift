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
  /// The factors that each stage reads in a row, from stage to stage: 1, 2, 4 ... values.
  private let stages: (re: [Double], im: [Double])
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
    let turns: [(re: Double, im: Double)] = (0...half).map { k in
      let angle = -2 * Double.pi * Double(k) / Double(count)
      return (cos(angle), sin(angle))
    }
    self.turns = turns
    var stages: (re: [Double], im: [Double]) = ([], [])
    for stage in 0..<bits {
      for k in 0..<1 << stage {
        let turn = turns[k * (half >> stage)]  // one turn of the table spans twice the half length
        stages.re.append(turn.re)
        stages.im.append(turn.im)
      }
    }
    self.stages = stages
    re = Array(repeating: 0, count: half)
    im = re
  }

  /// Returns the squared magnitudes of `frame`, padded with zeros, from 0 to half the sample rate.
  mutating func power(of frame: [Double]) -> [Double] {
    for (index, place) in order.enumerated() {
      re[place] = 2 * index < frame.count ? frame[2 * index] : 0
      im[place] = 2 * index + 1 < frame.count ? frame[2 * index + 1] : 0
    }
    Self.transform(&re, &im, stages.re, stages.im)
    return (0...half).map { k in
      let (a, b) = (k & (half - 1), (half - k) & (half - 1))
      let even = (re: (re[a] + re[b]) / 2, im: (im[a] - im[b]) / 2)
      let odd = (re: (im[a] + im[b]) / 2, im: (re[b] - re[a]) / 2)
      let turn = turns[k]
      let x = even.re + turn.re * odd.re - turn.im * odd.im
      let y = even.im + turn.re * odd.im + turn.im * odd.re
      return x * x + y * y
    }
  }

  /// Transforms values in the order of their reversed bits.
  private static func transform(
    _ re: inout [Double], _ im: inout [Double], _ cosines: [Double], _ sines: [Double]
  ) {
    let half = re.count
    precondition(im.count == half && cosines.count == half - 1 && sines.count == half - 1)
    unsafe re.withUnsafeMutableBufferPointer { re in
      unsafe im.withUnsafeMutableBufferPointer { im in
        unsafe cosines.withUnsafeBufferPointer { cosines in
          unsafe sines.withUnsafeBufferPointer { sines in
            var size = 1
            while size < half {
              let c = unsafe cosines.baseAddress! + (size - 1)
              let s = unsafe sines.baseAddress! + (size - 1)
              for start in stride(from: 0, to: half, by: 2 * size) {
                unsafe combine(re.baseAddress! + start, im.baseAddress! + start, size, c, s)
              }
              size *= 2
            }
          }
        }
      }
    }
  }

  /// Combines two transforms of `size` values that follow each other to one of twice the length.
  @inline(__always)
  private static func combine(
    _ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>, _ size: Int,
    _ cosines: UnsafePointer<Double>, _ sines: UnsafePointer<Double>
  ) {
    let (lowRe, lowIm) = (UnsafeMutableRawPointer(re), UnsafeMutableRawPointer(im))
    let (highRe, highIm) = unsafe (
      UnsafeMutableRawPointer(re + size), UnsafeMutableRawPointer(im + size)
    )
    let (c, s) = unsafe (UnsafeRawPointer(cosines), UnsafeRawPointer(sines))
    typealias Four = SIMD4<Double>
    let whole = size & ~3
    for byte in stride(from: 0, to: 8 &* whole, by: 32) {
      let cosine = unsafe c.loadUnaligned(fromByteOffset: byte, as: Four.self)
      let sine = unsafe s.loadUnaligned(fromByteOffset: byte, as: Four.self)
      let (a, b) = unsafe (
        highRe.loadUnaligned(fromByteOffset: byte, as: Four.self),
        highIm.loadUnaligned(fromByteOffset: byte, as: Four.self)
      )
      let (p, q) = unsafe (
        lowRe.loadUnaligned(fromByteOffset: byte, as: Four.self),
        lowIm.loadUnaligned(fromByteOffset: byte, as: Four.self)
      )
      let x = a * cosine - b * sine
      let y = a * sine + b * cosine
      unsafe highRe.storeBytes(of: p - x, toByteOffset: byte, as: Four.self)
      unsafe highIm.storeBytes(of: q - y, toByteOffset: byte, as: Four.self)
      unsafe lowRe.storeBytes(of: p + x, toByteOffset: byte, as: Four.self)
      unsafe lowIm.storeBytes(of: q + y, toByteOffset: byte, as: Four.self)
    }
    for k in whole..<size {
      let (a, b) = unsafe (re[size + k], im[size + k])
      let x = unsafe a * cosines[k] - b * sines[k]
      let y = unsafe a * sines[k] + b * cosines[k]
      unsafe re[size + k] = re[k] - x
      unsafe im[size + k] = im[k] - y
      unsafe re[k] += x
      unsafe im[k] += y
    }
  }
}
