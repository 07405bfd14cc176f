import Effects
import Foundation
import Testing

@Suite struct DeEsserTests {
  private var settings: DeEsser.Settings {
    var settings = DeEsser.Settings()
    (settings.frequencyHz, settings.thresholdDb, settings.rangeDb) = (6000, -40, 12)
    return settings
  }

  private func spectrum(_ input: [Float]) throws -> LineSpectrum {
    LineSpectrum(try StereoRun(settings).render(input), count: 48_000)
  }

  /// A vowel near full scale passes bit for bit: below 1 kHz the detector's filter is 62 dB down,
  /// which is below the threshold. It fades in, as a sudden onset contains treble.
  @Test func vowelsPassUntouched() throws {
    let vowel = sine(hz: 220, amplitude: 0.5, seconds: 0.5).enumerated().map { i, sample in
      let overtone = 0.4 * sin(2 * .pi * 880 * Double(i) / 48_000)
      return (sample + Float(overtone)) * Float(min(Double(i) / 4800, 1))
    }
    #expect(try StereoRun(settings).render(vowel) == vowel)
  }

  /// Lower frequencies keep their level while an s is reduced. 1 kHz is a sixth of the corner of
  /// the second-order shelf, 12 dB deep, whose analogue response there is off by less than 0.02 dB.
  @Test func onlyTheTrebleGoesDown() throws {
    let (low, high) = (
      sine(hz: 1000, amplitude: 0.3, seconds: 2), sine(hz: 12_000, amplitude: 0.3, seconds: 2)
    )
    let together = zip(low, high).map { $0 + $1 }
    let (before, after) = (LineSpectrum(together, count: 48_000), try spectrum(together))
    #expect(abs(powerDb(after.line(1000) / before.line(1000))) < 0.02)
    // An octave above the corner, the range of 12 dB is reached within 0.3 dB.
    let treble = powerDb(after.line(12_000) / before.line(12_000))
    #expect(treble < -11.5 && treble > -12.01)
  }

  /// A quarter of the level above the threshold remains. At three times the corner the detector's
  /// filter passes everything and the shelf has its full depth.
  @Test(arguments: [-38.0, -34, -30, -26]) func trebleFollowsTheCurve(levelDb: Double) throws {
    let tone = sine(hz: 17_001, amplitude: amplitude(levelDb), seconds: 2)
    let measured = powerDb(
      try spectrum(tone).line(17_001) / LineSpectrum(tone, count: 48_000).line(17_001))
    #expect(abs(measured + 0.75 * (levelDb + 40)) < 0.2)
  }

  /// The deepest cut at the lowest corner, which it lowers further, rings longest.
  @Test func tailIsOverWhenStated() throws {
    var settings = settings
    (settings.frequencyHz, settings.rangeDb) = (2000, 24)
    #expect(try EffectConduct.levelAfterTailDb(settings) < -60)
  }

  @Test func rangeOfZeroIsTransparent() throws {
    var settings = settings
    settings.rangeDb = 0
    let input = noise(seconds: 0.2)
    #expect(try StereoRun(settings).render(input) == input)
  }

  /// The times to 63 % of the depth in dB, from a burst of 12 kHz, four samples a cycle.
  @Test func attackAndReleaseReach63PercentInTime() throws {
    var settings = settings
    (settings.attackMs, settings.releaseMs) = (10, 80)
    let tone = sine(hz: 12_000, seconds: 3)
    let (quiet, loud) = (Float(amplitude(-60)), Float(amplitude(-28)))
    let input = tone.enumerated().map { i, sample -> Float in
      sample * ((48_000..<96_000).contains(i) ? loud : quiet)
    }
    let output = try StereoRun(settings).render(input)
    // The envelope from samples a quarter of a cycle apart, independent of the shelf's phase.
    let gains = input.indices.dropFirst().dropLast().map { i -> Double in
      let (o, p) = (Double(output[i]), Double(output[i - 1]))
      let (a, b) = (Double(input[i]), Double(input[i - 1]))
      let power: Double = (o * o + p * p) / (a * a + b * b)
      return decibels(power.squareRoot())
    }
    let depth: Double = gains[95_000]
    let attacked: Int = gains[48_010...].firstIndex { $0 < 0.632 * depth }!
    let released: Int = gains[96_010...].firstIndex { $0 > 0.368 * depth }!
    let attackMs = Double(attacked - 48_000) / 48
    let releaseMs = Double(released - 96_000) / 48
    #expect(abs(attackMs - 10) < 1)
    #expect(abs(releaseMs - 80) < 8)
  }
}
