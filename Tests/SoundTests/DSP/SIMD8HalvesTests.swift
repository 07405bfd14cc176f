import DSP
import Testing

@Suite struct SIMD8HalvesTests {
  @Test func twoSumsAtOnceAndHalvesSwapped() {
    let (one, other) = (SIMD8<Float>(1, 2, 4, 8, 16, 32, 64, 128), SIMD8<Float>(repeating: -3))
    #expect(one.sums(other) == SIMD2(255, -24))
    #expect(one.halvesSwapped == SIMD8(16, 32, 64, 128, 1, 2, 4, 8))
    #expect(one.reversed == SIMD8(128, 64, 32, 16, 8, 4, 2, 1))
  }
}
