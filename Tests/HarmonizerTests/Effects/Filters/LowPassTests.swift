import Effects
import Foundation
import Testing

@Suite struct LowPassTests {
  @Test func keepsTheContract() throws {
    #expect(try EffectContract(LowPass.Settings()).findings() == [])
  }

  @Test(arguments: [8000.0, 44_100, 48_000, 96_000, 192_000])
  func responseIsAsDesigned(sampleRateHz: Double) throws {
    for (cutoffHz, resonance) in [(20.0, 0.5), (300, 25), (2000, 0.707), (3000, 4), (20_000, 1)] {
      var settings = LowPass.Settings()
      (settings.cutoffHz, settings.resonance) = (cutoffHz, resonance)
      let measured = try FrequencyResponse(settings, sampleRateHz: sampleRateHz)
      let designed = CookbookFilter(
        .lowPass, min(cutoffHz, 0.49 * sampleRateHz), q: resonance, sampleRateHz: sampleRateHz)
      // The project's limit is 0.1 dB. In double precision only the rounding of samples is left:
      // 0.02 dB with 128 dB between the resonance and the top of the range.
      #expect(measured.worstErrorDb(designed.magnitude) < 0.03, "\(cutoffHz) \(resonance)")
    }
  }

  @Test func ringsAtLowFrequenciesAsDesigned() throws {
    var settings = LowPass.Settings()
    (settings.cutoffHz, settings.resonance) = (20, 25)
    let measured = try FrequencyResponse(settings, sampleRateHz: 48_000)
    let designed = CookbookFilter(.lowPass, 20, q: 25, sampleRateHz: 48_000)
    #expect(measured.worstErrorDb(designed.magnitude) < 0.01)
  }

  /// The filter is the analogue 1 / (s² + s / Q + 1) well below half the sample rate.
  @Test func isTheAnalogueFilter() throws {
    var settings = LowPass.Settings()
    (settings.cutoffHz, settings.resonance) = (1000, 2)
    let measured = try FrequencyResponse(settings, sampleRateHz: 192_000)
    for frequencyHz in [100.0, 500, 1000, 2000, 4000] {
      let w = frequencyHz / 1000
      let analogue = 1 / hypot(1 - w * w, w / 2)
      // The bilinear transform warps 4000 Hz by (pi f / fs)² / 3 = 0.14 %: 0.025 dB of slope.
      #expect(abs(decibels(measured.magnitude(frequencyHz) / analogue)) < 0.03)
    }
  }

  /// The power of filtered white noise is that of the noise times pi f Q / fs.
  @Test func isStableAtFullResonance() throws {
    var settings = LowPass.Settings()
    (settings.cutoffHz, settings.resonance) = (1000, 25)
    let output = try StereoRun(settings).render(noise(seconds: 60))
    let expected = 1.0 / 3 * .pi * 1000 * 25 / 48_000
    for half in [output.prefix(output.count / 2), output.suffix(output.count / 2)] {
      let power = half.reduce(0) { $0 + Double($1) * Double($1) } / Double(half.count)
      // A band of 63 Hz for 30 s has 1900 independent values, a deviation of 2.3 %; four of them.
      #expect(abs(power / expected - 1) < 0.1)
    }
  }

  /// Random changes 375 times a second for a minute never give more than a resonance of 25 can.
  @Test func isStableUnderRandomChanges() throws {
    var settings = LowPass.Settings()
    settings.resonance = 25
    var places = noise(seconds: 1, seed: 2).makeIterator()
    let output = try StereoRun(settings).render(noise(seconds: 60)) { link, _ in
      settings.cutoffHz = 20 * pow(1000, Double(places.next()! + 1) / 2)
      link.apply(settings)
    }
    #expect(output.allSatisfy { abs($0) < 25 })
  }

  /// The tail is over when stated, even for a tone at the cut-off, amplified 25 times by the
  /// resonance.
  @Test(arguments: [(40, 25), (40, 0.5), (1000, 25), (20_000, 25)])
  func tailIsOverWhenStated(cutoffHz: Double, resonance: Double) throws {
    var settings = LowPass.Settings()
    (settings.cutoffHz, settings.resonance) = (cutoffHz, resonance)
    let run = try StereoRun(settings)
    let sound = sine(hz: cutoffHz, seconds: 1)
    let tail = run.link.tailSamples
    let output = run.render(sound + [Float](repeating: 0, count: tail + 4800))
    #expect(output.dropFirst(sound.count + tail).allSatisfy { abs($0) < 0.001 })
    // The bound follows from the poles; the actual ringing lasts at least a third of it.
    let rings = output.lastIndex { abs($0) >= 0.001 }! - sound.count
    #expect(rings > tail / 3)
  }

  @Test func changesMakeNoClicks() throws {
    for change in try ChangeNoise(LowPass.Settings()).worst() {
      #expect(change.sweptDb < -60, "\(change)")
      #expect(change.thrownDb < -60, "\(change)")
    }
  }
}
