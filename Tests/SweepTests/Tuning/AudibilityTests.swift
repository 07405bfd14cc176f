import Foundation
import Testing

@testable import Metrics
@testable import Tuning

@Suite struct AudibilityTests {
  @Test func everyFaultHasOneThreshold() {
    for axis in TuneAxis.defaults where axis != .cost {
      #expect(Audibility(rawValue: axis.rawValue) != nil, "\(axis)")
    }
    for entry in Audibility.allCases {
      #expect(TuneAxis(rawValue: entry.rawValue) != nil && entry.step >= entry.threshold)
    }
  }

  /// Viemeister 1979: 26 dB below full modulation is an index of 0.0501, a swing of 0.87 dB; at
  /// 500 Hz about half of full modulation is needed.
  @Test func fastSwingsAreHarderToHear() {
    #expect(abs(ModulationThreshold.depthDb(rateHz: 0) - 0.871) < 0.001)
    let swing = pow(10, ModulationThreshold.depthDb(rateHz: 500) / 20)
    #expect(abs((swing - 1) / (swing + 1) - 0.5) < 0.1)
    #expect(ModulationThreshold.weight(rateHz: 0) == 1)
    #expect(TuneAxis.tremolo.value(3, rateHz: 100) < TuneAxis.tremolo.value(3, rateHz: 10))
  }
}
