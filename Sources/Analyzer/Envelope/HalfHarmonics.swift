import DSP

/// The correlation of a frame with multiples of half a fundamental, whose phase may glide.
struct HalfHarmonics {
  private static let lanes = 8

  private var samples: [Double] = []
  private var cosines: [Double] = []
  private var sines: [Double] = []

  init(capacity: Int) {
    samples.reserveCapacity(capacity)
    cosines.reserveCapacity(capacity)
    sines.reserveCapacity(capacity)
  }

  /// - Parameter turn: turn of the sample's phase from one multiple to the next.
  mutating func add(_ sample: Double, turn: Complex) {
    samples.append(sample)
    cosines.append(turn.re)
    sines.append(turn.im)
  }

  /// Returns the power at multiples 0, 1, 2 ... `highest` of half the fundamental.
  mutating func powers(upTo highest: Int) -> [Double] {
    let padding = [Double](repeating: 0, count: (Self.lanes - samples.count % 8) % Self.lanes)
    samples += padding
    cosines += padding
    sines += padding
    // Eight samples stay in registers while they run through all multiples. The sum of the real
    // parts is in the two lower lanes, that of the imaginary parts in the two upper ones.
    var sums = [SIMD4<Double>](repeating: .zero, count: highest + 1)
    let wave = samples.span
    let turnRe = cosines.span
    let turnIm = sines.span
    for first in stride(from: 0, to: wave.count, by: Self.lanes) {
      let cosine = turnRe[uncheckedEightAt: first]
      let sine = turnIm[uncheckedEightAt: first]
      var re = wave[uncheckedEightAt: first]
      var im = SIMD8<Double>.zero
      for multiple in sums.indices {
        let real = re.lowHalf + re.highHalf
        let imaginary = im.lowHalf + im.highHalf
        sums[multiple] += SIMD4(
          lowHalf: real.lowHalf + real.highHalf,
          highHalf: imaginary.lowHalf + imaginary.highHalf)
        let next = re * cosine - im * sine
        im = re * sine + im * cosine
        re = next
      }
    }
    return sums.map { sum in
      let (re, im) = (sum[0] + sum[1], sum[2] + sum[3])
      return re * re + im * im
    }
  }
}
