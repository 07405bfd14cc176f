/// Random numbers with random access: a value depends on the seed, the stream and the index alone.
///
/// A consonant's noise therefore stays the same at any pitch.
///
/// - Source: the mixing function is SplitMix64's (Steele, Lea and Flood, "Fast splittable
///   pseudorandom number generators", OOPSLA 2014).
struct Noise {
  /// Sample rate at which white noise of variance 1 has its nominal power per hertz.
  static let rateHz = 48_000.0

  private let key: UInt64

  init(seed: UInt64, stream: UInt64) {
    key = Self.mix(seed &+ Self.mix(stream &+ 0x9E37_79B9_7F4A_7C15))
  }

  /// 64 random bits.
  @inline(__always) func bits(at index: Int) -> UInt64 {
    Self.mix(key &+ UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Two independent uniform values of variance 1, in ±√3.
  @inline(__always) func pair(at index: Int) -> (Double, Double) {
    let word = bits(at: index)
    let scale = 1.7320508075688772 / 2_147_483_648
    let low = Int32(truncatingIfNeeded: word)
    let high = Int32(truncatingIfNeeded: word &>> 32)
    return (Double(low) * scale, Double(high) * scale)
  }

  /// A nearly normal value of variance 1, the sum of four uniform ones.
  func normal(at index: Int) -> Double {
    let word = bits(at: index)
    var sum = 0.0
    for shift: UInt64 in [0, 16, 32, 48] {
      sum += Double(Int16(truncatingIfNeeded: word &>> shift)) / 32_768
    }
    return sum * 0.8660254037844386  // each has variance 1/3
  }

  @inline(__always) private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}
