import DSP
import Foundation
import TestSupport
import Testing

@Suite struct InfrasoundFilterTests {
  /// Level of the middle half; other tests check the ends.
  private func level(_ signal: Signal) -> Double {
    let middle = Array(signal.samples[signal.count / 4..<signal.count * 3 / 4])
    return Signal(middle, sampleRateHz: signal.sampleRateHz).rms
  }

  /// Expected gain: Butterworth's four poles, twice, 10 · log10((1 + (25 / f)⁸)²) dB.
  @Test(arguments: [8_000.0, 48_000, 192_000], [5.0, 10, 15, 25, 60, 440])
  func levelsAreThoseOfEightPoles(rateHz: Double, hz: Double) {
    let sound = Signal.sine(hz, seconds: 2, sampleRateHz: rateHz)
    for time in [InfrasoundFilter.Time.symmetric, .causal] {
      let left = 20 * log10(level(sound.withoutInfrasound(time)) / level(sound))
      let wanted = -20 * log10(1 + pow(25 / hz, 8))
      // Below -90 dB the 24 bits of the samples and the ends dominate.
      #expect(wanted < -90 ? left < -90 : abs(left - wanted) < 0.1, "\(left), not \(wanted)")
    }
  }

  @Test func aVoiceStaysInPlace() {
    let sound = Signal.sine(110, seconds: 2)
    let filtered = sound.withoutInfrasound()
    // Eight poles remove 0.0002 at 110 Hz.
    for i in 9_600..<86_400 { #expect(abs(filtered.samples[i] - sound.samples[i]) < 3e-4) }
  }

  @Test func aConstantIsRemovedUpToBothEnds() {
    let sound = Signal([Float](repeating: 0.5, count: 4_800), sampleRateHz: 48_000)
    for time in [InfrasoundFilter.Time.symmetric, .causal] {
      #expect(sound.withoutInfrasound(time).samples.allSatisfy { abs($0) < 1e-6 })
    }
  }

  /// A voice may begin and end at a peak, far from its mean.
  @Test(arguments: [110.0, 200, 440]) func aPeakAtAnEndIsNotAStep(hz: Double) {
    let sound = Signal(
      (0...24_000).map { n -> Float in
        let phase = 2 * Double.pi * hz * Double(n) / 48_000
        let sum: Double = (1...20).reduce(0.0) { $0 + cos(phase * Double($1)) }
        return Float(sum / 20)
      }, sampleRateHz: 48_000)
    let filtered = sound.withoutInfrasound()
    // If mirrored about its first sample, the sound would begin at 0 and lose all its height as
    // slow.
    for i in sound.samples.indices { #expect(abs(filtered.samples[i] - sound.samples[i]) < 0.03) }
  }

  /// Infrasound is removed up to both ends.
  @Test(arguments: [0.0, 0.25, 0.4]) func infrasoundIsRemovedUpToBothEnds(phase: Double) {
    let sound = Signal(
      (0..<48_000).map { n -> Float in
        let cycles: Double = phase + 4.3 * Double(n) / 48_000
        return Float(cos(2 * Double.pi * cycles))
      }, sampleRateHz: 48_000)
    #expect(sound.withoutInfrasound().samples.allSatisfy { abs($0) < 0.1 })
  }

  @Test func aCausalFilterAddsNothingBeforeAnOnset() {
    var sound = Signal.sine(60, seconds: 2)
    for i in 0..<48_000 { sound.samples[i] = 0 }
    #expect(sound.withoutInfrasound(.causal).samples.prefix(48_000).allSatisfy { $0 == 0 })
    #expect(sound.withoutInfrasound(.symmetric).samples[47_000] != 0)
  }

  /// An extreme sample, or one that is not finite, leaves all others unchanged.
  @Test(arguments: [Float.nan, .infinity, 1e30, -1e9])
  func aBadSampleDoesNotRing(fault: Float) {
    let sound = Signal.sine(100, amplitude: 0.1, seconds: 2)
    var broken = sound
    broken.samples[48_000] = fault
    let (clean, filtered) = (sound.withoutInfrasound(), broken.withoutInfrasound())
    for i in clean.samples.indices where i != 48_000 {
      // A fault counts as eight times the sound, of which the filter spreads 0.3 %.
      #expect(abs(filtered.samples[i] - clean.samples[i]) < 0.004)
    }
    let kept = filtered.samples[48_000]
    #expect(fault.isNaN ? kept.isNaN : kept == fault || abs(kept - fault) < 1e-6 * abs(fault))
  }

  /// A note that sounds in a twentieth of a noisy recording is no defect, so its offset goes.
  @Test func sparseLoudSoundIsFiltered() {
    var random = SeededGenerator(seed: 2)
    var samples = (0..<240_000).map { _ in Float(2e-4 * (random.uniform() - 0.5)) }
    for i in 96_000..<108_000 { samples[i] += 0.05 + 0.1 * sin(Float(i) * 0.03) }
    let note = Signal(samples, sampleRateHz: 48_000).withoutInfrasound().samples[98_400..<105_600]
    // 7200 samples are 34.4 periods of the tone; what is left of one has a mean of 4e-4 at most.
    #expect(abs(note.reduce(0, +) / Float(note.count)) < 1e-3)
  }

  @Test func emptySoundsAreUnchanged() {
    #expect(Signal([], sampleRateHz: 48_000).withoutInfrasound().count == 0)
    #expect(Signal([1], sampleRateHz: 48_000).withoutInfrasound().count == 1)
    let slow = Signal([1, 2], sampleRateHz: 100)
    #expect(slow.withoutInfrasound() == slow)
  }
}
