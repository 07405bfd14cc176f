import Testing

@testable import Analyzer

@Suite struct PitchCurveTests {
  private func curve(_ time: Double) -> Double {
    let bend: Double = 20 * time * time
    return 8 + 0.5 * time - bend
  }

  /// A refiner's measurement of `a + b t + c t²` (octaves): its mean over a stretch around
  /// `time + offset` with variance `spread`.
  private func measurement(
    atSeconds time: Double, offset: Double, spread: Double, miss: Double = 0
  ) -> PeriodRefiner.Measurement {
    let mean: Double = curve(time + offset) - 20 * spread
    return PeriodRefiner.Measurement(
      octaves: mean + miss, offsetSeconds: offset, spreadSquared: spread, variance: 1e-8,
      correlation: 0.99)
  }

  /// Stretches of different lengths and offsets up to 3 ms, over a curve with the curvature of a 60
  /// cent vibrato at 5.5 Hz, give the curve itself within rounding.
  @Test func averagesOverStretchesGiveTheCurve() throws {
    let points = (0..<11).map { (i: Int) -> PeriodRefiner.Measurement? in
      let (offset, spread) = (Double(i % 4 - 1) * 0.001, 2e-5 * Double(1 + i % 3))
      return measurement(atSeconds: Double(i - 5) * 0.01, offset: offset, spread: spread)
    }
    let fitted = PitchCurve(points, voiced: points.map { _ in true }, hopSeconds: 0.010)
    for i in 2..<9 {
      let time = Double(i - 5) * 0.01
      let value = try #require(fitted.value(at: i))
      let errorCents: Double = 1200 * abs(value.octaves - curve(time))
      #expect(errorCents < 0.01)
    }
  }

  /// One measurement is off by 2.4 cents: a cubic over seven points keeps less than 0.6 of it (the
  /// middle weight of such a fit is 1/3 for equal points).
  @Test func errorsAreAveraged() throws {
    let points = (0..<9).map { (i: Int) -> PeriodRefiner.Measurement? in
      let time = Double(i - 4) * 0.01
      return measurement(atSeconds: time, offset: 0, spread: 0, miss: i == 4 ? 0.002 : 0)
    }
    let fitted = PitchCurve(points, voiced: points.map { _ in true }, hopSeconds: 0.010)
    let value = try #require(fitted.value(at: 4))
    let missed: Double = value.octaves - 8
    #expect(missed > 0 && missed < 0.0012)
  }

  @Test func framesWithoutMeasurementHaveNoValue() {
    let points: [PeriodRefiner.Measurement?] = [nil, nil]
    #expect(PitchCurve(points, voiced: [true, true], hopSeconds: 0.010).value(at: 1) == nil)
  }
}
