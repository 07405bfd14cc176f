import DSP

/// Multiplies echoes without changing the level of any frequency: four all-passes in series,
/// `H(z) = (g + z^-D) / (1 + g z^-D)`, with different delays in each channel.
///
/// Its response is 60 dB down after 14 of its longest delays, 0.06 s.
///
/// - Source: Schroeder, "Natural sounding artificial reverberation", J. Audio Eng. Soc. 10, 1962.
struct Diffuser: ~Copyable {
  private var first: AllPass
  private var second: AllPass
  private var third: AllPass
  private var fourth: AllPass

  init(sampleRateHz: Double) {
    func make(_ leftMs: Double, _ rightMs: Double) -> AllPass {
      AllPass(Int(leftMs / 1000 * sampleRateHz + 0.5), Int(rightMs / 1000 * sampleRateHz + 0.5))
    }
    // Delays without simple ratios.
    first = make(1.13, 1.23)
    second = make(1.79, 1.63)
    third = make(2.51, 2.71)
    fourth = make(4.33, 4.01)
  }

  @_noLocks mutating func reset() {
    first.reset()
    second.reset()
    third.reset()
    fourth.reset()
  }

  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
    fourth.next(third.next(second.next(first.next(input))))
  }

  private struct AllPass: ~Copyable {
    private var line: StereoLine
    private let places: SIMD2<Int>  // delays of the ends before the push

    init(_ leftSamples: Int, _ rightSamples: Int) {
      places = SIMD2(max(leftSamples, 1) - 1, max(rightSamples, 1) - 1)
      line = StereoLine(longest: max(places.x, places.y))
    }

    @_noLocks mutating func reset() { line.reset() }

    @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
      let g: Float = 0.6
      let end = SIMD2(line.left[delay: places.x], line.right[delay: places.y])
      let inside = input - g * end
      line.push(inside.flushed)
      return end + g * inside
    }
  }
}
