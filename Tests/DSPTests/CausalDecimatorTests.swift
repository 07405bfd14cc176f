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

  /// Samples that wait are kept as they would be one by one, to the bit: as many as can wait, few, none.
  /// Seven thousand are more than there is room for, so that what is needed is moved several times.
  @Test func manyAtOnceAreAsOneByOne() {
    var generator = SeededGenerator(seed: 5)
    let input = (0..<7_000).map { _ in Float(generator.uniform() - 0.5) }
    var decimator = make()
    var (found, start, turn): ([Float], Int, Int) = ([], 0, 0)
    while start < input.count {
      let end = min(start + [64, 1, 2, 63, 7, 64, 64, 5][turn % 8], input.count)
      for sample in input[start..<end] { decimator.put(sample) }
      while let kept = decimator.next() { found.append(kept) }
      (start, turn) = (end, turn + 1)
    }
    #expect(found == output(input))
    #expect(found.count == input.count / 3)
  }
}
