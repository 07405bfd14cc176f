import Foundation
import Testing

@testable import Singer

@Suite struct GlottalPulseTests {
  @Test(arguments: [0.3, 0.7, 1.0, 1.8, 2.7])
  func peakIsMinusOneAndFlowReturnsToZero(shape: Double) {
    let pulse = GlottalPulse(shape: shape)
    #expect(abs(pulse.value(at: pulse.closure) + 1) < 1e-9)
    // A midpoint sum over the period: its error falls with the square of the step, and the corner
    // at the closure costs at most half a step.
    let count = 200_000
    let area = (0..<count).reduce(0.0) { sum, i in
      sum + pulse.value(at: (Double(i) + 0.5) / Double(count)) / Double(count)
    }
    #expect(abs(area) < 1e-5)
  }

  /// Fant defines Rd by the peak of the flow: Rd = U0 / Ee · F0 / 110, so U0 = 0.11 · Rd per
  /// period.
  @Test(arguments: [0.6, 1.0, 1.5, 2.2])
  func flowPeakFollowsTheDefinitionOfRd(shape: Double) {
    let pulse = GlottalPulse(shape: shape, returnShare: 1)
    let count = 100_000
    var (flow, peak) = (0.0, 0.0)
    for i in 0..<count {
      flow += pulse.value(at: (Double(i) + 0.5) / Double(count)) / Double(count)
      peak = max(peak, flow)
    }
    // Fant's regression follows the definition within several percent.
    #expect(abs(peak / (0.11 * shape) - 1) < 0.1)
  }

  @Test(arguments: [1, 2, 7, 60])
  func harmonicsAreThoseOfTheWaveform(number: Int) {
    let pulse = GlottalPulse(shape: 1)
    let count = 400_000
    var (re, im) = (0.0, 0.0)
    for i in 0..<count {
      let time = (Double(i) + 0.5) / Double(count)
      let angle = 2 * Double.pi * Double(number) * (time - pulse.closure)
      re += pulse.value(at: time) * cos(angle) / Double(count)
      im -= pulse.value(at: time) * sin(angle) / Double(count)
    }
    let closed = pulse.harmonic(number)
    #expect(abs(closed.re - re) < 1e-5)
    #expect(abs(closed.im - im) < 1e-5)
  }

  @Test func laxerPulsesAreDuller() {
    let tilt = [0.4, 0.8, 1.6, 2.6].map { shape in
      let pulse = GlottalPulse(shape: shape)
      return pulse.harmonic(20).magnitude / pulse.harmonic(1).magnitude
    }
    #expect(tilt == tilt.sorted(by: >))
  }
}
