import DSP
import Foundation
import Testing

@Suite struct CausalDecimatorTests {
  private func make() -> CausalDecimator {
    CausalDecimator(factor: 3, passHz: 3_000, stopHz: 6_000, sampleRateHz: 24_000)
  }

  private func output(_ input: [Float]) -> [Float] {
    var decimator = make()
    return input.compactMap { decimator.take($0) }
  }

  private func sine(_ hz: Double) -> [Float] {
    (0..<2_400).map { Float(sin(2 * .pi * hz * Double($0) / 24_000)) }
  }

  /// Of a tone in the band, what leaves is the tone itself, `delaySamples` earlier.
  @Test func theDelayIsAsStated() {
    let delay = make().delaySamples
    let found = output(sine(1_000))
    for k in 100..<found.count {
      let time = Double(3 * k + 2) - delay
      // The band is flat within 60 dB, as is what is stopped.
      #expect(abs(Double(found[k]) - sin(2 * .pi * 1_000 * time / 24_000)) < 0.002)
    }
  }

  @Test func whatWouldFoldIsStopped() {
    #expect(output(sine(6_500)).dropFirst(100).allSatisfy { abs($0) < 0.0015 })
  }
}
