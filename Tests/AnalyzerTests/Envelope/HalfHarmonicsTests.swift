import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct HalfHarmonicsTests {
  /// The sums written out, one phase for each sample and multiple.
  @Test(arguments: [0, 300.0])
  func powersAreThoseOfTheSums(slope: Double) {
    let signal = Signal.noise(count: 4000, seed: 5, sampleRateHz: 16_000)
    let (time, f0Hz, reach) = (0.12504, 180.0, 190)
    var halves = HalfHarmonics(
      signal, around: time, f0Hz: f0Hz, slopeHzPerSecond: slope, reach: reach)
    let found = halves.powers(41)
    #expect(found.count == 42)
    var weights = 0.0
    var sums = [Complex](repeating: Complex(), count: found.count)
    for n in 2001 - reach...2001 + reach {
      let t = Double(n) / 16_000 - time
      let cycle = f0Hz * t + slope * t * t / 2
      guard abs(cycle) < 2 else { continue }
      let weight = (0.5 + 0.5 * cos(.pi / 2 * cycle)) * (f0Hz + slope * t)
      weights += weight
      for half in sums.indices {
        let turned = Complex(angle: -.pi * cycle * Double(half))
        sums[half] = sums[half] + turned * (weight * Double(signal.samples[n]))
      }
    }
    let strongest = sums.map(\.power).max()!
    #expect(abs(halves.weightSum - weights) < 1e-9 * weights)
    for (found, sum) in zip(found, sums) { #expect(abs(found - sum.power) < 1e-9 * strongest) }
  }
}
