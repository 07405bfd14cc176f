import Effects
import Foundation
import Testing

/// Overdrive and distortion.
@Suite struct DriveTests {
  /// All that lies between the overtones of a sine of 5 kHz and full scale, against its fundamental.
  private func aliasingDb(_ settings: some EffectSettings, rateHz: Double) throws -> (
    between: Double, constant: Double
  ) {
    let count = 65_536
    // An odd number of cycles: what folds back misses the overtones.
    let bin = Int(5000 * Double(count) / rateHz) | 1
    let tone = sine(
      hz: Double(bin) * rateHz / Double(count), seconds: 2.5, sampleRateHz: rateHz)
    let spectrum = LineSpectrum(
      try rendered(settings, tone, sampleRateHz: rateHz).left, count: count)
    let fundamental = spectrum.line(bin)
    return (
      powerDb(spectrum.between(multiplesOf: bin) / fundamental),
      powerDb(spectrum.line(0) / fundamental)
    )
  }

  @Test(arguments: [44_100.0, 48_000]) func overdriveFoldsNothingBack(rateHz: Double) throws {
    for (frequencyHz, asymmetry) in [(5000.0, 0.0), (5000, 1), (900, 0.3)] {
      var settings = Overdrive.Settings()
      settings.driveDb = 40
      settings.frequencyHz = frequencyHz
      settings.asymmetry = asymmetry
      let measured = try aliasingDb(settings, rateHz: rateHz)
      #expect(measured.between < -60)
      // Nobody hears a hundred-thousandth; nor does it move a loudspeaker.
      #expect(measured.constant < -100)
    }
  }

  @Test(arguments: [44_100.0, 48_000]) func distortionFoldsNothingBack(rateHz: Double) throws {
    var settings = Distortion.Settings()
    settings.driveDb = 60
    settings.toneHz = 20_000
    let measured = try aliasingDb(settings, rateHz: rateHz)
    #expect(measured.between < -60)
    #expect(measured.constant < -100)
  }

  /// Direct current that comes in is not driven into a constant.
  @Test func directCurrentIsTakenAway() throws {
    let input = [Float](repeating: 0.01, count: 96_000)
    var distortion = Distortion.Settings()
    distortion.driveDb = 60
    #expect(abs(try rendered(distortion, input).left.last!) < 1e-6)
    #expect(abs(try rendered(Overdrive.Settings(), input).left.last!) < 1e-6)
  }

  /// A hard-clipped sine is a square wave in the limit: its overtones fall as 1, 1/3, 1/5.
  @Test func fullDistortionIsASquareWave() throws {
    var settings = Distortion.Settings()
    settings.driveDb = 60
    settings.toneHz = 20_000
    settings.levelDb = 0
    let count = 48_000
    let output = try rendered(settings, sine(hz: 100, seconds: 2)).left
    let spectrum = LineSpectrum(output, count: count)
    for overtone in [3, 5, 7, 9] {
      let ratio = (spectrum.line(100 * overtone) / spectrum.line(100)).squareRoot()
      // The DC blocker takes 0.04 dB of 100 Hz, the low-pass 0.01 dB of 900 Hz: 0.5 %.
      #expect(abs(ratio * Double(overtone) - 1) < 0.006, "overtone \(overtone)")
    }
    #expect(powerDb(spectrum.line(200) / spectrum.line(100)) < -100)
  }

  /// By the power series of x/√(1+x²), x - x³/2: the third overtone of a small sine of amplitude a is
  /// a²/8 of it.
  @Test func softBendHasTheThirdOvertoneOfItsSeries() throws {
    var settings = Overdrive.Settings()
    settings.driveDb = 0
    settings.asymmetry = 0
    let output = try rendered(settings, sine(hz: 1000, amplitude: 0.1, seconds: 2)).left
    let spectrum = LineSpectrum(output, count: 48_000)
    let ratio = (spectrum.line(3000) / spectrum.line(1000)).squareRoot()
    // The next term of the series changes it by 5/4 a², about 1.3 %.
    #expect(abs(ratio / (0.01 / 8) - 1) < 0.02)
  }

  /// An asymmetric bend has even overtones, a symmetric one none.
  @Test func asymmetryMakesEvenOvertones() throws {
    func second(_ asymmetry: Double) throws -> Double {
      var settings = Overdrive.Settings()
      settings.asymmetry = asymmetry
      let output = try rendered(settings, sine(hz: 1000, amplitude: 0.2, seconds: 2)).left
      let spectrum = LineSpectrum(output, count: 48_000)
      return powerDb(spectrum.line(2000) / spectrum.line(1000))
    }
    #expect(try second(0) < -110)
    #expect(try second(0.3) > -25)
  }

  /// The band is driven by `driveDb`; two octaves off, by the response of a band-pass with Q 1/1.4.
  @Test func bandIsDriven() throws {
    var settings = Overdrive.Settings()
    settings.driveDb = 20
    settings.frequencyHz = 1000
    settings.asymmetry = 0
    settings.levelDb = 0
    for hz in [250.0, 1000, 4000] {
      let input = sine(hz: hz, amplitude: 1e-4, seconds: 2)
      let spectrum = LineSpectrum(try rendered(settings, input).left, count: 48_000)
      let reference = LineSpectrum(input, count: 48_000)
      // In analogue terms 1 + 9 · 1.4 s / (s² + 1.4 s + 1); the bilinear transform bends 4 kHz a bit.
      let s = tan(.pi * hz / 48_000) / tan(.pi * 1000 / 48_000)
      let (re, im) = (1 - s * s, 1.4 * s)
      let factor = 9 * im / (re * re + im * im)
      let expected = powerDb(pow(1 + factor * im, 2) + pow(factor * re, 2))
      let measured = powerDb(
        spectrum.line(Int(hz)) / reference.line(Int(hz)))
      // 0.05 dB is lost to the averaging between samples and the DC blocker.
      #expect(abs(measured - expected) < 0.1, "\(hz) Hz")
    }
  }

  /// The clippers come an eighth of a sample later than stated, or half of that.
  @Test func latencyIsAsStated() throws {
    var distortion = Distortion.Settings()
    (distortion.driveDb, distortion.levelDb, distortion.toneHz) = (0, 0, 20_000)
    var overdrive = Overdrive.Settings()
    (overdrive.driveDb, overdrive.levelDb, overdrive.asymmetry) = (0, 0, 0)
    let input = sine(hz: 1000, amplitude: 0.01, seconds: 1)
    for (output, latency) in [
      (
        try rendered(distortion, input).left,
        try Distortion(distortion, sampleRateHz: 48_000).latencySamples
      ),
      (
        try rendered(overdrive, input).left,
        try Overdrive(overdrive, sampleRateHz: 48_000).latencySamples
      ),
    ] {
      // Phase against the delayed input; a tone of 1000 cycles a second moves 7.5° a sample.
      var (inPhase, quadrature) = (0.0, 0.0)
      for i in 24_000..<48_000 {
        let angle = 2 * Double.pi * 1000 * Double(i - latency) / 48_000
        inPhase += Double(output[i]) * sin(angle)
        quadrature += Double(output[i]) * cos(angle)
      }
      let samplesLate = -atan2(quadrature, inPhase) / (2 * .pi) * 48
      // DC blocker: early by 0.08 samples at 1 kHz; low-pass of the tone: late by 0.4 or less.
      #expect(samplesLate > -0.1 && samplesLate < 0.5)
    }
  }
}
