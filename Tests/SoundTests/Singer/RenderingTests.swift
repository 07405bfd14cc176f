import DSP
import Foundation
import Testing

@testable import Singer

@Suite struct RenderingTests {
  @Test func theSameSeedGivesTheSameBits() throws {
    #expect(try phrase().render() == phrase().render())
  }

  @Test func anotherSeedGivesOtherNoise() throws {
    var other = phrase()
    other.seed = 8
    #expect(try other.render().signal != phrase().render().signal)
    #expect(try other.render().truth.phones == phrase().render().truth.phones)
  }

  @Test(arguments: [16_000.0, 44_100, 48_000, 96_000])
  func lengthAndTruthFitAnyRate(rateHz: Double) throws {
    let rendering = try phrase().render(sampleRateHz: rateHz)
    let count = Int((phrase().durationSeconds * rateHz).rounded())
    #expect(rendering.signal.count == count)
    #expect(rendering.truth.f0Hz.count == count)
    #expect(rendering.truth.phaseCycles.count == count)
    #expect(rendering.signal.firstNonFinite == nil)
  }

  @Test func levelsHardlyDependOnTheRate() throws {
    // At 48 kHz the sound above 8 kHz is added, about a hundredth of the energy.
    let low = try held().render(sampleRateHz: 16_000).signal.rms
    let high = try held().render(sampleRateHz: 48_000).signal.rms
    #expect(abs(20 * log10(low / high)) < 1)
  }

  /// Breath and fricatives have the same power per hertz at any rate. Bands end an octave below half of
  /// the lowest rate, above which filters differ; a second of noise scatters by a tenth of a decibel.
  @Test(arguments: [
    (24_000.0, Phone.a), (44_100, .a), (24_000, .s), (44_100, .s), (96_000, .s),
  ]) func noiseHardlyDependsOnTheRate(rateHz: Double, phone: Phone) throws {
    var performance = held(phone, seconds: 1.5)
    performance.notes[0].phonation = Voice.tenor.phonation.whispered
    func level(_ rateHz: Double) throws -> Double {
      let sound = try performance.render(sampleRateHz: rateHz).signal
      let count = Int(rateHz)
      var transform = FourierTransform(count: count)
      transform.forward(Array(sound.samples[count / 4..<count / 4 + count]).span)
      let power = (2_000..<6_000).reduce(0.0) { $0 + Double(transform[$1].power) }  // 1 Hz a bin
      return 10 * log10(power / Double(count * count))
    }
    let change = try level(rateHz) - level(48_000)
    #expect(abs(change) < 1, "\(change) dB")
  }

  @Test func phaseIsTheIntegralOfThePitch() throws {
    let truth = try phrase().render().truth
    let errorsHz = truth.f0Hz.indices.dropFirst().filter { truth.f0Hz[$0] > 0 }.map {
      abs((truth.phaseCycles[$0] - truth.phaseCycles[$0 - 1]) * 48_000 - truth.f0Hz[$0])
    }
    #expect(errorsHz.max()! < 1e-4)  // the phase is exact to 10⁻¹⁰ cycles
  }

  @Test func aNoiselessVowelRepeatsEveryPeriod() throws {
    // At 48000 / 200 Hz a period is a whole number of samples, so the sound repeats exactly.
    let semitones = 69 + 12 * log2(200.0 / 440)
    let samples = try held(semitones: semitones).withoutNoise().render().signal.samples
    let differences = (20_000..<30_000).map { abs(samples[$0] - samples[$0 + 240]) }
    // The tolerance is the table's single precision, 10⁻⁷ of the pulse, times the resonances' gain.
    #expect(differences.max()! < 3e-6)
    #expect(samples[20_000..<20_240].map(abs).max()! > 0.03)
  }

  @Test func pulsesPeakAtWholePhases() throws {
    // The tract responds to each closure with its largest excursion within a few samples.
    let rendering = try held(.a, semitones: 40, voice: .bass).withoutNoise().render()
    let phase = rendering.truth.phaseCycles
    let samples = rendering.signal.samples
    let closures = (20_000..<40_000).filter { Int(phase[$0]) > Int(phase[$0 - 1]) }
    for closure in closures.prefix(20) {
      let period = samples[closure - 20..<closure + 500]
      let strongest = period.indices.max { abs(samples[$0]) < abs(samples[$1]) }!
      #expect(abs(strongest - closure) < 96)  // 2 ms: one and a half periods of F1
    }
  }

  @Test func whispersHaveNoPitch() throws {
    var performance = held()
    performance.notes[0].phonation = Voice.tenor.phonation.whispered
    let rendering = try performance.render()
    #expect(rendering.truth.f0Hz.allSatisfy { $0 == 0 })
    #expect(rendering.signal.rms > 0.0005)
  }

  @Test func louderIsBrighter() throws {
    func brightness(_ db: Double) throws -> Double {
      var performance = held(semitones: 45).withoutNoise()
      performance.notes[0].dynamics = .level(db)
      let samples = try performance.render().signal.samples[12_000..<36_000]
      // A first difference weights energy by the square of the frequency.
      let slope = zip(samples.dropFirst(), samples).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
      return slope / samples.reduce(0.0) { $0 + Double($1 * $1) }
    }
    let soft = try brightness(-12)
    #expect(try brightness(6) > 1.2 * soft)
  }

  @Test func invalidPerformancesThrow() {
    var overlapping = phrase()
    overlapping.notes[1].startSeconds = overlapping.notes[0].startSeconds + 0.1
    #expect(throws: SingerError.self) { try overlapping.render() }
    #expect(throws: SingerError.outOfRange("sampleRateHz", 8_000, 16_000...96_000)) {
      try phrase().render(sampleRateHz: 8_000)
    }
  }

  @Test func performancesSurviveJSON() throws {
    let performance = phrase().sung(at: [PitchTarget(startSeconds: 0, f0Hz: 220)])
    let data = try JSONEncoder().encode(performance)
    #expect(try JSONDecoder().decode(Performance.self, from: data) == performance)
  }
}
