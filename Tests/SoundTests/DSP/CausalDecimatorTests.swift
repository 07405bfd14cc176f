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

  /// A tone in the pass band leaves unchanged, delayed by `delaySamples`.
  @Test func theDelayIsAsStated() {
    let delay = make().delaySamples
    let found = output(sine(1_000))
    for k in 100..<found.count {
      let time = Double(3 * k + 2) - delay
      // The pass band is flat, and the stop band suppressed, within 60 dB.
      #expect(abs(Double(found[k]) - sin(2 * .pi * 1_000 * time / 24_000)) < 0.002)
    }
  }

  @Test func aliasesAreSuppressed() {
    #expect(output(sine(6_500)).dropFirst(100).allSatisfy { abs($0) < 0.0015 })
  }

  /// Samples buffered in any number give the same bits as one by one. Seven thousand exceed the
  /// buffer, which therefore is moved several times.
  @Test func bufferedSamplesGiveTheSameBits() {
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
