import DSP
import Testing

@testable import Analyzer

@Suite struct FourBandsTests {
  /// Rates at which the sums are kept for 64 to 2048 samples, with a band that is missing.
  @Test(arguments: [8000.0, 22_050, 44_100, 192_000])
  func curvesAreThoseOfEachBandAlone(rateHz: Double) {
    var random = SeededGenerator(seed: 11)
    let samples = (0..<Int(0.1 * rateHz)).map { _ in Float(random.uniform() - 0.5) }
    let edgesHz: [(low: Double, high: Double)] = [(80, 700), (700, 1600), (1600, 3200)]
    let bands = edgesHz.map { ButterworthBand($0.low, $0.high, sampleRateHz: rateHz) }
    let filters = FourBands([bands[0], bands[1], bands[2], nil])
    let curves = filters.curves(of: Signal(samples, sampleRateHz: rateHz))
    #expect(curves.count == 4 && curves[3].isEmpty)
    for (band, curve) in zip(bands, curves) {
      let filtered = band.apply(samples.map { Double($0) }).map { Float($0) }
      let alone = LoudnessCurve(ofOutline: Signal(filtered, sampleRateHz: rateHz))
      #expect(curve.count == 200 && curve == alone.values)
    }
  }

  @Test(arguments: [0, 1, 3]) func aSoundShorterThanAStepHasNoCurve(count: Int) {
    let band = ButterworthBand(80, 700, sampleRateHz: 8000)
    let sound = Signal([Float](repeating: 1, count: count), sampleRateHz: 8000)
    #expect(FourBands([band, nil, nil, nil]).curves(of: sound) == [[], [], [], []])
  }
}
