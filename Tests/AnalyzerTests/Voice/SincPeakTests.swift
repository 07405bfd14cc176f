import Foundation
import Testing

@testable import Analyzer

@Suite struct SincPeakTests {
  /// A cosine's maximum between samples. The taper moves that of the slowest by 1.7e-3 samples.
  @Test(arguments: [10.0, 20, 100]) func thePeakOfACosineIsFound(period: Double) {
    let samples = (0..<200).map { cos(2 * .pi * (Double($0) - 100.3) / period) }
    let peak = SincPeak(of: samples, near: 100)
    #expect(abs(peak.position - 100.3) < 2e-3)
    #expect(abs(peak.height - 1) < 1e-4)
  }

  /// A correlation mirrors itself before lag 0; silence there would move the peak by 0.06 samples.
  @Test func anEvenSequenceIsMirrored() {
    let samples = (0..<100).map { cos(2 * .pi * Double($0) / 9.3) }
    let peak = SincPeak(of: samples, near: 9, isEven: true)
    #expect(abs(peak.position - 9.3) < 2e-3 && abs(peak.height - 1) < 1e-4)
  }

  @Test(arguments: [0.0, .nan]) func theSearchEndsWithoutAPeak(value: Double) {
    let peak = SincPeak(of: [Double](repeating: value, count: 100), near: 50)
    #expect((49.0...51).contains(peak.position))
    #expect(value.isNaN ? peak.height.isNaN : peak.height == 0)
  }
}
