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

  /// 10 cents, a hundredth of the frames, 5 % of a ratio, 3.2 dB an octave.
  @Test func aMetricHasTheThresholdOfItsAxisInItsOwnUnit() {
    let known = [
      "pitch.abs_error": 10, "pitch.bias": 10, "voice.missing": 0.01, "formant.ratio": 0.05,
      "timbre.tilt_change": 3.2, "latency.alignment": 10,
      "latency.impulse": 10,
    ]
    for (metric, least) in known {
      let found = TuneAxis.noticeableChange(of: metric) ?? .nan
      #expect(abs(found - least) < 1e-9, "\(metric)")
    }
    #expect(TuneAxis.noticeableChange(of: "timbre.mcd") == nil)
    #expect(TuneAxis.noticeableChange(of: "level.change") == nil)
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
