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
    LineSpectrum(try rendered(settings, input).left, count: 48_000)
  }

  /// A vowel near full scale: below 1 kHz the listening filter is 62 dB down, under the threshold. To
  /// the bit. It fades in: a sudden beginning has treble.
  @Test func vowelsPassUntouched() throws {
    let vowel = sine(hz: 220, amplitude: 0.5, seconds: 0.5).enumerated().map { i, sample in
      let overtone = 0.4 * sin(2 * .pi * 880 * Double(i) / 48_000)
      return (sample + Float(overtone)) * Float(min(Double(i) / 4800, 1))
    }
    #expect(try rendered(settings, vowel).left == vowel)
  }

  /// While a sharp s goes down, what lies below it does not. The shelf of second order is at a sixth
  /// of its corner, 12 dB deep, by its analogue response off by less than 0.02 dB.
  @Test func onlyTheTrebleGoesDown() throws {
    let (low, high) = (
      sine(hz: 1000, amplitude: 0.3, seconds: 2), sine(hz: 12_000, amplitude: 0.3, seconds: 2)
    )
    let together = zip(low, high).map { $0 + $1 }
    let (before, after) = (LineSpectrum(together, count: 48_000), try spectrum(together))
    #expect(abs(powerDb(after.line(1000) / before.line(1000))) < 0.02)
    // Range 12 dB, which an octave above the corner is reached but for 0.3 dB at most.
    let treble = powerDb(after.line(12_000) / before.line(12_000))
    #expect(treble < -11.5 && treble > -12.01)
  }

  /// Above the threshold, a quarter of the excess remains; at three times the corner the listening
  /// filter passes all and the shelf reaches its depth.
  @Test(arguments: [-38.0, -34, -30, -26]) func trebleFollowsTheCurve(levelDb: Double) throws {
    let tone = sine(hz: 17_001, amplitude: amplitude(levelDb), seconds: 2)
    let measured = powerDb(
      try spectrum(tone).line(17_001) / LineSpectrum(tone, count: 48_000).line(17_001))
    #expect(abs(measured + 0.75 * (levelDb + 40)) < 0.2)
  }

  @Test func rangeOfZeroIsTransparent() throws {
    var settings = settings
    settings.rangeDb = 0
    let input = noise(seconds: 0.2)
    #expect(try rendered(settings, input).left == input)
  }

  /// Time to 63 % of the depth in dB: a burst of 12 kHz, of which four samples are a cycle.
  @Test func attackAndReleaseReach63PercentInTime() throws {
    var settings = settings
    (settings.attackMs, settings.releaseMs) = (10, 80)
    let tone = sine(hz: 12_000, seconds: 3)
    let input = tone.enumerated().map { i, sample in
      sample * Float(amplitude((48_000..<96_000).contains(i) ? -28 : -60))
    }
    let output = try rendered(settings, input).left
    // The envelope, free of the shelf's phase: a quarter of a cycle apart.
    let gains = input.indices.dropFirst().dropLast().map { i in
      let (o, p) = (Double(output[i]), Double(output[i - 1]))
      let (a, b) = (Double(input[i]), Double(input[i - 1]))
      return db(((o * o + p * p) / (a * a + b * b)).squareRoot())
    }
    let loud = gains[95_000]
    let attacked = gains[48_010...].firstIndex { $0 < 0.632 * loud }!
    let released = gains[96_010...].firstIndex { $0 > 0.368 * loud }!
    #expect(abs(Double(attacked - 48_000) / 48 - 10) < 1)
    #expect(abs(Double(released - 96_000) / 48 - 80) < 8)
  }
}
