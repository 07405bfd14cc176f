import Effects
import Foundation
import Testing

@Suite struct CompressorTests {
  /// Equation 4 of Giannoulis, Massberg and Reiss, 2012.
  private func curveDb(_ x: Double, threshold t: Double, ratio r: Double, knee w: Double) -> Double
  {
    if 2 * (x - t) <= -w { return x }
    if 2 * abs(x - t) < w { return x + (1 / r - 1) * pow(x - t + w / 2, 2) / (2 * w) }
    return t + (x - t) / r
  }

  @Test(arguments: [(2.0, 0.0), (4, 6), (20, 24), (100, 12)])
  func staticCurveIsTheFormula(ratio: Double, kneeDb: Double) throws {
    var settings = Compressor.Settings()
    (settings.ratio, settings.kneeDb, settings.makeUpDb) = (ratio, kneeDb, 5)
    (settings.attackMs, settings.releaseMs) = (1, 50)
    for hz in [60.0, 997, 9001] {
      for levelDb in stride(from: -48.0, through: 0, by: 4) {
        let tone = sine(hz: hz, amplitude: amplitude(levelDb), seconds: 0.6)
        let output = try StereoRun(settings).render(tone)
        let energy = output.suffix(14_400).reduce(0.0) { $0 + Double($1) * Double($1) }
        let measured = decibels((2 * energy / 14_400).squareRoot())
        let expected = 5 + curveDb(levelDb, threshold: -24, ratio: ratio, knee: kneeDb)
        #expect(abs(measured - expected) < 0.2, "\(hz) Hz at \(levelDb) dB")
      }
    }
  }

  /// The gain over time in dB, for a sine whose level steps from -30 to -4 dB and back.
  private func gainsDb(_ settings: Compressor.Settings) throws -> [Double] {
    let tone = sine(hz: 12_000, seconds: 3)  // four samples a cycle: 0, 1, 0, -1
    let input = tone.enumerated().map { i, sample in
      sample * Float(amplitude((48_000..<96_000).contains(i) ? -4 : -30))
    }
    let output = try StereoRun(settings).render(input)
    return stride(from: 1, to: input.count, by: 2).map { decibels(Double(output[$0] / input[$0])) }
  }

  /// The times to 63 % of the step in dB, as the paper defines its time constants.
  @Test(arguments: [(1.0, 100.0), (10, 150), (50, 20), (5, 300)])
  func attackAndReleaseReach63PercentInTime(attackMs: Double, releaseMs: Double) throws {
    var settings = Compressor.Settings()
    (settings.attackMs, settings.releaseMs, settings.ratio) = (attackMs, releaseMs, 4)
    let gains = try gainsDb(settings)
    let (rest, loud) = (gains[23_999], gains[47_999])
    let share = 1 - exp(-1.0)
    let attacked = gains[24_000...].firstIndex { $0 < rest + share * (loud - rest) }!
    let released = gains[48_000...].firstIndex { $0 > loud + share * (rest - loud) }!
    // 10 %, plus the time resolution of two samples.
    #expect(abs(Double(attacked - 24_000) / 24 - attackMs) < 0.1 * attackMs + 0.05)
    #expect(abs(Double(released - 48_000) / 24 - releaseMs) < 0.1 * releaseMs + 0.05)
  }

  /// The quieter channel gets the gain of the louder one, so the stereo image stays.
  @Test func channelsAreLinked() throws {
    let loud = sine(hz: 997, seconds: 0.5)
    let output = try StereoRun(Compressor.Settings()).render(Stereo(loud, loud.map { $0 * 0.01 }))
    let apart = zip(output.left, output.right).map { abs($0 * 0.01 - $1) }.max()!
    #expect(apart < 1e-8)  // rounding
  }

  @Test func ratioOfOneIsTransparent() throws {
    var settings = Compressor.Settings()
    (settings.ratio, settings.makeUpDb) = (1, 0)
    let input = noise(seconds: 0.2)
    #expect(try StereoRun(settings).render(input) == input)
  }

  /// The gain doesn't follow the waveform of a low voice, which would add a third harmonic to 80
  /// Hz.
  @Test func lowVoicesAreNotDistorted() throws {
    var settings = Compressor.Settings()
    (settings.attackMs, settings.releaseMs) = (0.1, 20)
    let output = try StereoRun(settings).render(sine(hz: 80, seconds: 2))
    let spectrum = LineSpectrum(output, count: 48_000)
    // The held level still dips by what a sample misses of a peak.
    #expect(powerDb(spectrum.line(240) / spectrum.line(80)) < -80)
  }
}
