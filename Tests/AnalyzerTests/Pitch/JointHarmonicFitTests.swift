import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct JointHarmonicFitTests {
  /// An E minor seventh chord, root in the bass, not equally tempered, so that no partials
  /// coincide.
  private static let chordHz = [164.3, 196.7, 247.1, 293.9]

  @Test(arguments: [2, 3, 4])
  func straightChordsAreMeasuredToAThousandthOfACent(count: Int) throws {
    let hz = Array(Self.chordHz.prefix(count))
    let fit = JointHarmonicFit(of: mix(hz.map { hz in tone { _ in hz } }))
    for index in 0..<10 {
      let time = 0.2 + 0.06 * Double(index)
      let found = try fit.fits(atSeconds: time, expectedHz: hz.map { $0 * 1.01 }).map {
        try $0.get()
      }
      for (fit, hz) in zip(found, hz) {
        // Resampling leaves aliases 100 dB down: a phase error of 1e-5 at both ends of 64 ms is
        // 5e-5 Hz, half a thousandth of a cent. The windows are longer.
        #expect(abs(cents(fit.f0Hz, over: hz)) < 0.001)
        #expect(fit.explained > 0.999)
      }
    }
  }

  @Test func vibratoIsFollowedInEveryVoice() throws {
    let voices = Self.chordHz.enumerated().map { index, hz in
      tone {
        hz * exp2(0.05 * sin(2 * .pi * (5 + 0.4 * Double(index)) * $0 + 2 * Double(index)))
      }
    }
    let fit = JointHarmonicFit(of: mix(voices))
    var errors: [Double] = []
    for index in 0..<30 {
      let time = 0.15 + 0.0233 * Double(index)
      for (outcome, voice) in zip(fit.fits(atSeconds: time, expectedHz: Self.chordHz), voices) {
        guard case .success(let found) = outcome else { continue }
        errors.append(abs(cents(found.f0Hz, over: voice.f0Hz(time))))
      }
    }
    errors.sort()
    #expect(errors.count >= 118)
    // The design bound: one clean voice is measured to a third of a cent.
    #expect(errors[errors.count / 2] < 0.3)
    #expect(errors[errors.count * 95 / 100] < 1.5)
  }

  @Test func oneVoiceHasThePitchOfTheSingleFit() throws {
    let voice = tone { 200 * exp2($0) }
    let signal = voice.signal()
    let joint = JointHarmonicFit(of: signal)
    let single = HarmonicFit(of: signal)
    for time in [0.2, 0.35, 0.5, 0.65] {
      let one = try #require(single.fit(atSeconds: time, expectedHz: 1.01 * voice.f0Hz(time)))
      let all = try joint.fits(atSeconds: time, expectedHz: [1.01 * voice.f0Hz(time)])[0].get()
      // Harmonics above the twelfth leak into the single fit; its own tests allow 0.02 cents.
      #expect(abs(cents(all.f0Hz, over: one.f0Hz)) < 0.03)
      #expect(abs(all.slopeHzPerSecond / one.slopeHzPerSecond - 1) < 0.03)
    }
  }

  /// Noise 30 dB down lets each pitch vary by less than 0.05 cents, so 0.2 is four deviations.
  @Test(arguments: [1.0, 2, 5, 10])
  func aDetunedVoiceIsMeasuredAndTheOthersStay(doseCents: Double) throws {
    var played = Self.chordHz
    played[2] *= exp2(doseCents / 1200)
    let fit = JointHarmonicFit(of: mix(played.map { hz in tone { _ in hz } }, noiseDb: -30))
    for time in [0.3, 0.5, 0.7] {
      let found = try fit.fits(atSeconds: time, expectedHz: Self.chordHz).map { try $0.get() }
      for (voice, fit) in found.enumerated() {
        let expected = voice == 2 ? doseCents : 0
        #expect(abs(cents(fit.f0Hz, over: Self.chordHz[voice]) - expected) < 0.2)
      }
    }
  }

  @Test(arguments: [nil, -20.0], [0.0, 0.04])
  func anAbsentVoiceHasNoPitch(noiseDb: Double?, vibrato: Double) throws {
    let sung = Self.chordHz.enumerated().map { voice, hz in
      tone { hz * exp2(vibrato * sin(2 * .pi * 5.5 * $0 + Double(voice))) }.signal()
    }
    for missing in sung.indices {
      let others = sung.indices.filter { $0 != missing }
      let fit = JointHarmonicFit(of: mix(others.map { sung[$0] }, noiseDb: noiseDb))
      for time in [0.3, 0.47, 0.62] {
        let found = fit.fits(atSeconds: time, expectedHz: Self.chordHz)
        #expect(throws: JointHarmonicFit.NoPitch.absent) { try found[missing].get() }
        for voice in others { #expect(throws: Never.self) { try found[voice].get() } }
      }
    }
  }

  @Test func unisonsAndUpperOctavesAreHidden() throws {
    let unison = JointHarmonicFit(of: mix([tone { _ in 220 }, tone { _ in 220 }]))
    for outcome in unison.fits(atSeconds: 0.5, expectedHz: [220, 220]) {
      #expect(throws: JointHarmonicFit.NoPitch.hidden) { try outcome.get() }
    }
    let octave = JointHarmonicFit(of: mix([tone { _ in 220 }, tone { _ in 440 }]))
    let found = octave.fits(atSeconds: 0.5, expectedHz: [220, 440])
    #expect(abs(cents(try found[0].get().f0Hz, over: 220)) < 0.01)
    #expect(throws: JointHarmonicFit.NoPitch.hidden) { try found[1].get() }
  }

  /// All partials of the upper voice coincide with the lower one's, whose pitch must not be taken
  /// from them. An error of over a cent and five deviations is false certainty; a few remain where
  /// the pitches cross.
  @Test(arguments: [2.0, 3, 4], [-17.0, 9])
  func aVoiceUnderItsOvertoneIsNotFalselyCertain(multiple: Double, offCents: Double) throws {
    let low = tone { 110 * exp2(0.04 * sin(2 * .pi * 5.1 * $0)) }
    let high = tone {
      110 * multiple * exp2(offCents / 1200 + 0.05 * sin(2 * .pi * 5.9 * $0 + 2))
    }
    let fit = JointHarmonicFit(of: mix([low, high], noiseDb: -40))
    var (answers, wrong) = (0, 0)
    for index in 0..<60 {
      let time = 0.15 + 0.0117 * Double(index)
      let found = fit.fits(atSeconds: time, expectedHz: [110, 110 * multiple])[0]
      guard case .success(let fit) = found else { continue }
      let error = abs(cents(fit.f0Hz, over: low.f0Hz(time)))
      answers += 1
      if error > 1, error > 5 * fit.uncertaintyCents { wrong += 1 }
    }
    #expect(answers >= 30 && Double(wrong) <= 0.1 * Double(answers), "\(wrong) of \(answers)")
  }

  /// Normal errors are within one deviation in 68 % of trials. 108 trials, in windows that don't
  /// overlap, give that share a deviation of 4.5 %.
  @Test func twoThirdsOfErrorsAreWithinTheStatedDeviation() throws {
    let hz = Array(Self.chordHz.prefix(3))
    let voices = hz.map { hz in TestVoice(sampleRateHz: 16_000, seconds: 5, f0Hz: { _ in hz }) }
    let fit = JointHarmonicFit(of: mix(voices, noiseDb: -20))
    var (inside, count, squares) = (0.0, 0.0, 0.0)
    for index in 0..<36 {
      let found = fit.fits(atSeconds: 0.1 + 0.13 * Double(index), expectedHz: hz)
      for (outcome, hz) in zip(found, hz) {
        let fit = try outcome.get()
        let deviations = cents(fit.f0Hz, over: hz) / fit.uncertaintyCents
        if abs(deviations) < 1 { inside += 1 }
        squares += deviations * deviations
        count += 1
      }
    }
    #expect(count == 108)
    #expect(abs(inside / count - 0.68) < 0.12)
    #expect(abs((squares / count).squareRoot() - 1) < 0.2)
  }

  /// A sine of amplitude `a` in noise of variance `s`, under Hann's weight `w` over `2 T`, with
  /// slope and curvature free: the moments of `w` and of its square give a variance of the phase's
  /// first coefficient, in radians per `T`, of 2 s / a^2 * 17.11 / sum(w).
  @Test func theDeviationOfASineIsThatOfTheory() throws {
    var random = SeededGenerator(seed: 5)
    let deviation = 0.02
    let samples = (0..<8000).map { n in
      let noise = deviation * 3.4641 * (random.uniform() - 0.5)
      return Float(0.5 * sin(2 * .pi * 1000 * Double(n) / 8000) + noise)
    }
    let fit = JointHarmonicFit(
      of: Signal(samples, sampleRateHz: 8000), minExplained: 0.5, windowsMs: [128], maxHarmonics: 1)
    let half = 0.064 + 1 / 8000
    let theoryHz =
      (2 * deviation * deviation / 0.25 * 17.11 / (half * 8000)).squareRoot() / (2 * .pi * half)
    let found = try fit.fits(atSeconds: 0.5, expectedHz: [1003])[0].get()
    // The variance of 512 samples' noise is known to 6 %.
    #expect(abs(found.uncertaintyCents / cents(1000 + theoryHz, over: 1000) - 1) < 0.1)
  }

  @Test func unmeasurableVoicesHaveAReason() throws {
    func reason(
      _ samples: [Float], rate: Double = 48_000, at time: Double = 0.5, _ hz: [Double] = [200, 300]
    ) throws -> [JointHarmonicFit.NoPitch?] {
      JointHarmonicFit(of: Signal(samples, sampleRateHz: rate))
        .fits(atSeconds: time, expectedHz: hz)
        .map { if case .failure(let reason) = $0 { reason } else { nil } }
    }
    let silence = [Float](repeating: 0, count: 48_000)
    #expect(try reason([]) == [.outside, .outside])
    #expect(try reason([1]) == [.outside, .outside])
    #expect(try reason(silence) == [.silent, .silent])
    #expect(try reason(silence, at: 9) == [.outside, .outside])
    #expect(try reason(silence, at: .nan) == [.outside, .outside])
    #expect(try reason(silence, []) == [])
    #expect(
      try reason(silence, [.nan, 0, -3, 1e9, 200]) == [
        .unexpected, .unexpected, .unexpected, .unexpected, .silent,
      ])
    #expect(try reason(silence.map { _ in .nan }) == [.broken, .broken])
    #expect(try reason(silence.map { _ in .infinity }) == [.broken, .broken])
    #expect(
      try reason(silence, [50, 52, 55, 58, 61, 65, 69, 73]) == .init(repeating: .crowded, count: 8))
    // A constant counts as silence.
    #expect(try reason(silence.map { _ in 1 }) == [.silent, .silent])
    let hiss = Signal.noise(count: silence.count, seed: 3).samples
    #expect(try reason(hiss) == [.absent, .absent])
    let square = squareWave(periodSamples: 240, count: silence.count)
    #expect(try !reason(square).contains(.broken))
    for scale in [Float(1e-3), 1e30] {
      #expect(try !reason(hiss.map { scale * $0 }).contains(nil))
    }
    for rate in [8000.0, 192_000] {
      let voices = [200.0, 301].map { hz in TestVoice(sampleRateHz: rate, f0Hz: { _ in hz }) }
      #expect(try reason(mix(voices).samples, rate: rate) == [nil, nil])
    }
  }

  private func tone(_ f0Hz: @escaping (Double) -> Double) -> TestVoice {
    TestVoice(sampleRateHz: 16_000, f0Hz: f0Hz)
  }

  private func mix(_ voices: [TestVoice], noiseDb: Double? = nil) -> Signal {
    mix(voices.map { $0.signal() }, noiseDb: noiseDb)
  }

  /// The sum of the voices, with white noise at a level below it.
  private func mix(_ voices: [Signal], noiseDb: Double? = nil) -> Signal {
    var sum = voices[0]
    for voice in voices.dropFirst() {
      for (n, sample) in voice.samples.enumerated() { sum.samples[n] += sample }
    }
    guard let noiseDb else { return sum }
    let level = sum.rms * pow(10, noiseDb / 20) * 12.0.squareRoot()
    var random = SeededGenerator(seed: 11)
    for n in sum.samples.indices { sum.samples[n] += Float(level * (random.uniform() - 0.5)) }
    return sum
  }
}
