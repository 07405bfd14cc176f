/// The filters of turbulence in the mouth: seven fixed bands and a flat path in parallel.
///
/// A consonant is a set of eight gains, so that one fades into the next without a sweep.
struct FricationBank {
  /// Centre frequencies in a tract of 17.5 cm.
  static let centresHz: [Double] = [1_200, 1_800, 2_700, 3_700, 4_900, 6_500, 8_500]

  private var a = SIMD8<Double>(repeating: 0)
  private var b = SIMD8<Double>(repeating: 0)
  private var c = SIMD8<Double>(repeating: 0)
  private var x1 = 0.0
  private var x2 = 0.0
  private var y1 = SIMD8<Double>(repeating: 0)
  private var y2 = SIMD8<Double>(repeating: 0)

  init(voice: Voice, sampleRateHz: Double) {
    for (lane, centre) in Self.centresHz.enumerated() {
      let hz = centre * voice.formantScale
      guard hz < 0.47 * sampleRateHz else { continue }
      let resonance = Resonance(hz, 0.22 * hz, sampleRateHz)
      (b[lane], c[lane]) = (resonance.b, resonance.c)
      // Zeros at both ends of the band give unit gain at the centre. Neighbours alternate in sign
      // so that they don't cancel between their centres.
      a[lane] = (1 + resonance.c) / 2 * (lane % 2 == 0 ? 1 : -1)
    }
  }

  @inline(__always) mutating func process(_ input: Double, gains: SIMD8<Double>) -> Double {
    let y = a * (input - x2) + b * y1 + c * y2
    (x1, x2) = (input, x1)
    y2 = y1
    y1 = y
    var output = y
    output[7] = input
    return (output * gains).sum()
  }
}
