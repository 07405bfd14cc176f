import Effects
import Foundation
import Testing

/// Overdrive and distortion.
@Suite struct DriveTests {
  /// The aliasing between the overtones of a full-scale sine of 5 kHz and the DC, in dB relative to
  /// its fundamental.
  private func aliasingDb(_ settings: some EffectSettings, rateHz: Double) throws -> (
    between: Double, constant: Double
  ) {
    let count = 65_536
    // An odd number of cycles, so that aliases don't fall on overtones.
    let bin = Int(5000 * Double(count) / rateHz) | 1
    let tone = sine(hz: Double(bin) * rateHz / Double(count), seconds: 2.5, sampleRateHz: rateHz)
    let spectrum = LineSpectrum(
      try StereoRun(settings, sampleRateHz: rateHz).render(tone), count: count)
    let fundamental = spectrum.line(bin)
    return (
      powerDb(spectrum.between(multiplesOf: bin) / fundamental),
      powerDb(spectrum.line(0) / fundamental)
    )
  }

  @Test(arguments: [44_100.0, 48_000]) func overdriveDoesNotAlias(rateHz: Double) throws {
    for (frequencyHz, asymmetry) in [(5000.0, 0.0), (5000, 1), (900, 0.3)] {
      var settings = Overdrive.Settings()
      settings.driveDb = 40
      settings.frequencyHz = frequencyHz
      settings.asymmetry = asymmetry
      let measured = try aliasingDb(settings, rateHz: rateHz)
      #expect(measured.between < -60)
      // A DC of 1e-5 is inaudible and doesn't move a loudspeaker.
      #expect(measured.constant < -100)
    }
  }

  @Test(arguments: [44_100.0, 48_000]) func distortionDoesNotAlias(rateHz: Double) throws {
    var settings = Distortion.Settings()
    settings.driveDb = 60
    settings.toneHz = 20_000
    let measured = try aliasingDb(settings, rateHz: rateHz)
    #expect(measured.between < -60)
    #expect(measured.constant < -100)
  }

  /// A DC input is not amplified into a DC output.
  @Test func dcIsRemoved() throws {
    let input = [Float](repeating: 0.01, count: 96_000)
    var distortion = Distortion.Settings()
    distortion.driveDb = 60
    #expect(abs(try StereoRun(distortion).render(input).last!) < 1e-6)
    #expect(abs(try StereoRun(Overdrive.Settings()).render(input).last!) < 1e-6)
  }

  /// A sine with extreme hard clipping is a square wave, whose overtones fall as 1/3, 1/5.
  @Test func fullDistortionIsASquareWave() throws {
    var settings = Distortion.Settings()
    settings.driveDb = 60
    settings.toneHz = 20_000
    settings.levelDb = 0
    let count = 48_000
    let output = try StereoRun(settings).render(sine(hz: 100, seconds: 2))
    let spectrum = LineSpectrum(output, count: count)
    for overtone in [3, 5, 7, 9] {
      let ratio = (spectrum.line(100 * overtone) / spectrum.line(100)).squareRoot()
      // The DC blocker takes 0.04 dB off 100 Hz, the low-pass 0.01 dB off 900 Hz: 0.5 %.
      #expect(abs(ratio * Double(overtone) - 1) < 0.006, "overtone \(overtone)")
    }
    #expect(powerDb(spectrum.line(200) / spectrum.line(100)) < -100)
  }

  /// The power series of x/√(1+x²) is x - x³/2 + …, so the third harmonic of a small sine of
  /// amplitude a is a²/8 of it.
  @Test func softBendHasTheThirdOvertoneOfItsSeries() throws {
    var settings = Overdrive.Settings()
    settings.driveDb = 0
    settings.asymmetry = 0
    let output = try StereoRun(settings).render(sine(hz: 1000, amplitude: 0.1, seconds: 2))
    let spectrum = LineSpectrum(output, count: 48_000)
    let ratio = (spectrum.line(3000) / spectrum.line(1000)).squareRoot()
    // The next term of the series changes it by 5/4 a², about 1.3 %.
    #expect(abs(ratio / (0.01 / 8) - 1) < 0.02)
  }

  /// An asymmetric curve makes even harmonics, a symmetric one none.
  @Test func asymmetryMakesEvenOvertones() throws {
    func second(_ asymmetry: Double) throws -> Double {
      var settings = Overdrive.Settings()
      settings.asymmetry = asymmetry
      let output = try StereoRun(settings).render(sine(hz: 1000, amplitude: 0.2, seconds: 2))
      let spectrum = LineSpectrum(output, count: 48_000)
      return powerDb(spectrum.line(2000) / spectrum.line(1000))
    }
    #expect(try second(0) < -110)
    #expect(try second(0.3) > -25)
  }

  /// The band's gain is `driveDb`; two octaves away it follows a band-pass with Q 1/1.4.
  @Test func bandIsDriven() throws {
    var settings = Overdrive.Settings()
    settings.driveDb = 20
    settings.frequencyHz = 1000
    settings.asymmetry = 0
    settings.levelDb = 0
    for hz in [250.0, 1000, 4000] {
      let input = sine(hz: hz, amplitude: 1e-4, seconds: 2)
      let spectrum = LineSpectrum(try StereoRun(settings).render(input), count: 48_000)
      let reference = LineSpectrum(input, count: 48_000)
      // In analogue terms 1 + 9 · 1.4 s / (s² + 1.4 s + 1), with the bilinear transform's frequency
      // warping.
      let s = tan(.pi * hz / 48_000) / tan(.pi * 1000 / 48_000)
      let (re, im) = (1 - s * s, 1.4 * s)
      let factor = 9 * im / (re * re + im * im)
      let expected = powerDb(pow(1 + factor * im, 2) + pow(factor * re, 2))
      let measured = powerDb(spectrum.line(Int(hz)) / reference.line(Int(hz)))
      // The averaging between samples and the DC blocker take 0.05 dB.
      #expect(abs(measured - expected) < 0.1, "\(hz) Hz")
    }
  }

  /// The clippers are late by the stated latency, to a fraction of a sample.
  @Test func latencyIsAsStated() throws {
    var distortion = Distortion.Settings()
    (distortion.driveDb, distortion.levelDb, distortion.toneHz) = (0, 0, 20_000)
    var overdrive = Overdrive.Settings()
    (overdrive.driveDb, overdrive.levelDb, overdrive.asymmetry) = (0, 0, 0)
    let input = sine(hz: 1000, amplitude: 0.01, seconds: 1)
    for (output, latency) in [
      (
        try StereoRun(distortion).render(input),
        Distortion(distortion, sampleRateHz: 48_000).latencySamples
      ),
      (
        try StereoRun(overdrive).render(input),
        Overdrive(overdrive, sampleRateHz: 48_000).latencySamples
      ),
    ] {
      // The phase relative to the delayed input; a tone of 1000 Hz advances 7.5° a sample.
      var (inPhase, quadrature) = (0.0, 0.0)
      for i in 24_000..<48_000 {
        let angle = 2 * Double.pi * 1000 * Double(i - latency) / 48_000
        inPhase += Double(output[i]) * sin(angle)
        quadrature += Double(output[i]) * cos(angle)
      }
      let samplesLate = -atan2(quadrature, inPhase) / (2 * .pi) * 48
      // The DC blocker is early by 0.08 samples at 1 kHz; the tone's low-pass is late by 0.4 or
      // less.
      #expect(samplesLate > -0.1 && samplesLate < 0.5)
    }
  }
}
