import DSP

/// Sums of a spectrum over the harmonics of a pitch and over the places between them.
///
/// Pairs hold a sum of powers and a sum of amplitudes.
struct HarmonicSums: BitwiseCopyable {
  private static var highestHz: Float { @_noLocks get { 3400 } }
  private static var maxHarmonics: Int { @_noLocks get { 16 } }

  private(set) var first = SIMD2<Float>.zero
  private(set) var odd = SIMD2<Float>.zero
  private(set) var even = SIMD2<Float>.zero
  /// The harmonics that are no multiples of three.
  private(set) var others = SIMD2<Float>.zero
  private(set) var halves = SIMD2<Float>.zero
  private(set) var thirds = SIMD2<Float>.zero
  /// Powers half-way before each of the first four harmonics, and the sums of their neighbours.
  private(set) var between = SIMD4<Float>.zero
  private(set) var besideBetween = SIMD4<Float>.zero
  /// Powers of the first four odd harmonics, and the sums of the even ones beside them.
  private(set) var oddOnes = SIMD4<Float>.zero
  private(set) var besideOdd = SIMD4<Float>.zero

  var all: SIMD2<Float> { @_noLocks get { odd + even } }
  /// Amplitude of the harmonics less that of what lies between.
  var salience: Float { @_noLocks get { all.y - 0.5 * (halves.y + 0.5 * thirds.y) } }

  @_noLocks init() {}

  /// - Parameter values: powers and amplitudes of a spectrum's bins.
  @_noLocks init(of values: borrowing RealtimeArray<SIMD2<Float>>, f0Hz: Float, hzPerBin: Float) {
    // Places are whole numbers: multiples of a sixth of a harmonic in parts of a bin.
    let sixth = Int(Double(f0Hz) / Double(hzPerBin) / 6 * Double(1 << Self.partBits))
    let count = max(1, min(Self.maxHarmonics, Int(Self.highestHz / f0Hz)))
    var before: Float = 0  // the harmonic before
    for number in 1...max(count, 8) {
      let place = 6 &* number
      let harmonic = Self.value(values, place &* sixth)
      let half = Self.value(values, (place &- 3) &* sixth)
      if number <= count {
        if number == 1 { first = harmonic }
        if number & 1 == 1 { odd += harmonic } else { even += harmonic }
        if number % 3 != 0 { others += harmonic }
        halves += half
        thirds += Self.value(values, (place &- 2) &* sixth)
        thirds += Self.value(values, (place &- 4) &* sixth)
      }
      if number <= 4 {
        between[number &- 1] = half.x
        besideBetween[number &- 1] = harmonic.x + before
      }
      if number <= 8 {
        let pair = (number &- 1) >> 1
        if number & 1 == 1 {
          oddOnes[pair] = harmonic.x
          besideOdd[pair] = before
        } else {
          besideOdd[pair] += harmonic.x
        }
      }
      before = harmonic.x
    }
  }

  private static var partBits: Int { @_noLocks get { 32 } }

  /// The spectrum between two bins, linearly interpolated; 0 beyond the last.
  @inline(__always) @_noLocks private static func value(
    _ values: borrowing RealtimeArray<SIMD2<Float>>, _ place: Int
  ) -> SIMD2<Float> {
    let bin = place >> partBits
    guard bin &+ 1 < values.count else { return .zero }
    let share = Float(place & (1 << partBits &- 1)) * (1 / Float(1 << partBits))
    let (here, next) = (values[unchecked: bin], values[unchecked: bin &+ 1])
    return here + share * (next - here)
  }
}
