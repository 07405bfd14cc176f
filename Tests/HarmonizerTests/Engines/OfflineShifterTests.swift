import Analyzer
import DSP
import Foundation
import Singer
import TestSupport
import Testing

@testable import Harmonizer

private let rateHz = 48_000.0

/// The offline engine, without the filling of gaps except where that is tested.
@Suite struct OfflineShifterTests {
  static func shifter(fillsGaps: Bool = false) throws -> OfflineShifter {
    var settings = OfflineShifter.Settings()
    settings.fillsGaps = fillsGaps
    return try OfflineShifter(settings)
  }

  /// Pulses through two resonances: poles at 600 and 1500 Hz, 80 Hz wide.
  ///
  /// - Parameter radians: phase added to the second harmonic.
  static func voice(hz: Double, seconds: Double, turningSecondBy radians: Double = 0) -> Signal {
    var samples = [Double](repeating: 0, count: Int(seconds * rateHz))
    for harmonic in 1...Int(5000 / hz) {
      let f = Double(harmonic) * hz
      let (gain, ownPhase) = response(atHz: f)
      let phase = ownPhase + (harmonic == 2 ? radians : 0)
      for n in samples.indices {
        samples[n] += gain * cos(2 * .pi * f * Double(n) / rateHz + phase)
      }
    }
    let most = samples.map(abs).max()!
    return Signal(samples.map { Float(0.5 * $0 / most) }, sampleRateHz: rateHz)
  }

  static func response(atHz hz: Double) -> (gain: Double, phase: Double) {
    var (gain, phase) = (1.0, 0.0)
    for poleHz in [600.0, 1500] {
      let (re, im) = (1 - hz * hz / (poleHz * poleHz), hz * 80 / (poleHz * poleHz))
      gain /= (re * re + im * im).squareRoot()
      phase -= atan2(im, re)
    }
    return (gain, phase)
  }

  /// An offset of the input is no sound, and grains that overlap would make it larger.
  @Test(arguments: [-5.0, 7]) func anOffsetIsNotTransposed(semitones: Double) throws {
    let voice = Self.voice(hz: 147, seconds: 0.7)
    let raised = Signal(voice.samples.map { $0 + 0.1 }, sampleRateHz: rateHz)
    let output = try Self.shifter().render(raised, voices: [.init(shift: .constant(semitones))])[0]
    let mean = output.samples.reduce(0, +) / Float(output.count)
    #expect(abs(mean) < 0.001)
  }

  /// The pitch is measured by the harmonic fit, which shares no code with marks and grains. It errs
  /// by less than 0.01 cents on a steady sound without noise. Grains are placed exactly, and marks
  /// of a periodic sound are a period apart.
  @Test(arguments: [-12.0, -5, 4, 7, 12]) func thePitchIsTheTarget(semitones: Double) throws {
    let input = Self.voice(hz: 147, seconds: 0.7)
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(semitones))])[0]
    #expect(output.count == input.count)
    let target = 147 * exp2(semitones / 12)
    let fit = HarmonicFit(of: output)
    for time in [0.3, 0.4] {
      let found = try #require(fit.fit(atSeconds: time, expectedHz: target))
      #expect(abs(cents(found.f0Hz, over: target)) < 0.1)
    }
  }

  /// A shift that rises by a semitone a second is met within the glide of one period: 1 / 147 s at
  /// 100 cents/s is 0.7 cents.
  @Test func theShiftMayGlide() throws {
    let input = Self.voice(hz: 147, seconds: 1)
    let curve = ShiftCurve(semitones: [3, 4], hopSeconds: 1)
    let output = try Self.shifter().render(input, voices: [.init(shift: curve)])[0]
    let fit = HarmonicFit(of: output)
    for time in [0.3, 0.5, 0.7] {
      let target = 147 * exp2((3 + time) / 12)
      let found = try #require(fit.fit(atSeconds: time, expectedHz: target))
      #expect(abs(cents(found.f0Hz, over: target)) < 1)
    }
  }

  /// The copy's harmonics have the levels of the same vocal tract at their frequencies, within 0.5
  /// dB. An octave up every harmonic coincides with every second one of the lead.
  @Test func formantsStay() throws {
    let input = Self.voice(hz: 110, seconds: 0.7)
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(12))])[0]
    func level(_ hz: Double) -> Double { Self.levelDb(output, hz) }
    func ideal(_ hz: Double) -> Double { 20 * log10(Self.response(atHz: hz).gain) }
    for number in [1.0, 2, 3, 4, 5, 6, 7] {
      let (hz, first) = (220 * number, 660.0)
      #expect(abs(level(hz) - level(first) - (ideal(hz) - ideal(first))) < 0.5)
    }
  }

  /// Formants a fourth higher move the peak at 600 Hz to 800.
  @Test func formantsMoveWhenTold() throws {
    let input = Self.voice(hz: 100, seconds: 0.7)
    let output = try Self.shifter().render(
      input, voices: [.init(shift: .constant(0), formantShiftSemitones: 4.98)])[0]
    let levels = (3...12).map { Self.levelDb(output, 100 * Double($0)) }
    #expect(levels.firstIndex(of: levels.max()!) == 8 - 3)
  }

  /// The level at a frequency over the middle half second, in dBFS.
  static func levelDb(_ signal: Signal, _ hz: Double) -> Double {
    let start = (signal.count - 24_000) / 2
    let line = hannLine(of: signal.samples, start..<start + 24_000, hz: hz)
    return 10 * log10(line.power / 36_000_000 + 1e-30)
  }

  /// A soft voice is little but its fundamental, with nothing where a copy's lies. Copies are as loud, within
  /// a just noticeable half decibel.
  @Test(arguments: [-12.0, -5, 4, 7], [false, true]) func aSoftVoiceKeepsItsLevel(
    semitones: Double, fillsGaps: Bool
  ) throws {
    let input = Signal(
      (0..<33_600).map {
        let phase = 2 * .pi * 220 * Double($0) / rateHz
        return Float(0.3 * (cos(phase) + 0.01 * cos(2 * phase) + 0.003 * cos(3 * phase)))
      }, sampleRateHz: rateHz)
    let output = try Self.shifter(fillsGaps: fillsGaps)
      .render(input, voices: [.init(shift: .constant(semitones))])[0]
    func level(_ signal: Signal) -> Double {
      10 * log10(signal.samples[12_000..<24_000].reduce(0) { $0 + Double($1 * $1) })
    }
    #expect(abs(level(output) - level(input)) < 0.5)
  }

  /// A copy's fundamental a fifth up lies between the lead's first two harmonics. Of 2.6 radians between them a grain
  /// shows cos 1.3, 11.5 dB too little, of which 6 may be restored; in step there is nothing to restore.
  @Test func whatHarmonicsOutOfStepHideIsRestored() throws {
    let restored = try [0, 2.6].map { radians in
      let levels = try [false, true].map { fillsGaps in
        let output = try Self.shifter(fillsGaps: fillsGaps).render(
          Self.voice(hz: 147, seconds: 0.7, turningSecondBy: radians),
          voices: [.init(shift: .constant(12 * log2(1.5)))])[0]
        return Self.levelDb(output, 1.5 * 147)
      }
      return levels[1] - levels[0]
    }
    #expect(restored[1] - restored[0] > 3)
  }

  /// A quarter of a period is no voice four times as high, so nothing says how loud copies of it are to be.
  @Test(arguments: [(1.0, true), (0.25, false)]) func onlyAPeriodHasAPower(share: Double, has: Bool)
  {
    let transform = 2048
    var fourier = FourierTransform(count: transform)
    let half = 240 * share
    let cut = (0..<transform).map { n in
      let offset = Double(n < transform / 2 ? n : n - transform)
      return Float(Window.hann.value(at: offset / half) * sin(2 * .pi * offset / 240 + 0.7))
    }
    fourier.forward(cut.span)
    let grain = VoiceGrain(
      (0..<fourier.binCount).map { fourier[$0] }, periodSamples: half, scale: 1)
    #expect((grain.power > 0) == has)
  }

  /// Noise isn't voiced and passes unchanged.
  @Test func unvoicedSoundPasses() throws {
    let input = Signal(noise(count: 24_000).map { $0 * 0.3 }, sampleRateHz: rateHz)
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(7))])[0]
    #expect(output == input)
  }

  /// Marks at 100 Hz; the voice is sure for 0.5 s and then in doubt. What is not cut into grains is
  /// nothing at first, then a tone far above the crossover, while one far below it is grains.
  @Test(arguments: [(300.0, 0.0), (6000, 1)]) func aDoubtfulVoiceKeepsItsHighBand(
    hz: Double, kept: Double
  ) {
    let sound = Signal.sine(hz)
    let epochs = (1..<100).map {
      Epoch(timeSamples: Double(480 * $0), spacingSamples: 480, isVoiced: true)
    }
    let track = PitchTrack(
      hopSeconds: 0.01, f0Hz: Array(repeating: 100, count: 101),
      voicing: (0...100).map { $0 < 50 ? 0.9 : 0.2 })
    let rest = SplitSound(sound).unvoiced(MarkedVoice(epochs, track, rateHz))
    func level(_ range: Range<Int>) -> Double {
      (range.reduce(0) { $0 + Double(rest[$1] * rest[$1]) } / Double(range.count) * 2).squareRoot()
    }
    #expect(level(4_800..<19_200) < 0.001)
    #expect(abs(level(28_800..<43_200) - kept) < 0.01)
  }

  /// A voice that is weak for three periods is transposed before, there and after: no 20 ms of the
  /// copy equal the input. At +7 every third period of the copy coincides with every second of the
  /// lead. Elsewhere the difference is about as strong as the sound, far more than a tenth.
  @Test(arguments: [82.0, 147, 330]) func aWeakMomentIsTransposedToo(hz: Double) throws {
    var input = Self.voice(hz: hz, seconds: 0.8)
    for n in input.samples.indices where (0..<3 / hz).contains(Double(n) / rateHz - 0.4) {
      input.samples[n] *= 0.1
    }
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(7))])[0]
    for start in stride(from: 0.02, to: 0.76, by: 0.005) {
      let window = Int(start * rateHz)..<Int((start + 0.02) * rateHz)
      let power = window.reduce(Float(0)) { $0 + input.samples[$1] * input.samples[$1] }
      let difference = window.reduce(Float(0)) { sum, n in
        sum + (output.samples[n] - input.samples[n]) * (output.samples[n] - input.samples[n])
      }
      #expect(difference > 0.1 * power, "a copy of the input at \(start) s")
    }
  }

  /// A leap of a fifth and more, as where a tracker corrects an octave error, doesn't end a voiced
  /// run.
  @Test func aLeapDoesNotEndAVoicedRun() {
    let spacings = [400.0, 400, 400, 1000, 1000, 1000, 300, 300, 300]
    var (time, epochs) = (1000.0, [Epoch(timeSamples: 1000, spacingSamples: 200, isVoiced: true)])
    for spacing in spacings {
      time += spacing
      epochs.append(Epoch(timeSamples: time, spacingSamples: spacing, isVoiced: true))
    }
    let runs = VoicedRun.runs(in: epochs)
    #expect(runs.map(\.marks) == [0..<10])
    // Time is strictly increasing.
    let times = stride(from: 0, through: 9, by: 0.05).map { runs[0].time(atPeriods: $0) }
    for (a, b) in zip(times, times.dropFirst()) { #expect(b > a) }
  }

  /// A pause of more than two periods between marks separates two runs.
  @Test func aPauseSeparatesTwoRuns() {
    let spacings = [200.0, 200, 200, 900, 200, 200]
    var (time, epochs) = (0.0, [Epoch]())
    for spacing in spacings {
      time += spacing
      epochs.append(Epoch(timeSamples: time, spacingSamples: spacing, isVoiced: true))
    }
    #expect(VoicedRun.runs(in: epochs).map(\.marks) == [0..<3, 3..<6])
  }

  /// A shift of 0 returns the voice: neighbouring windows add up to 1 except for rounding in single
  /// precision and a fade of one period at each end.
  @Test func aShiftOfZeroReturnsTheInput() throws {
    let input = Self.voice(hz: 147, seconds: 0.6)
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(0))])[0]
    let middle = 8_000..<20_000
    let worst = middle.map { abs(input.samples[$0] - output.samples[$0]) }.max()!
    #expect(worst < 0.002)
  }

  /// The spectrum of a voice is known at its harmonics only; those of a copy fall between. The
  /// slides of an alto cover all frequencies. Filling the gaps there reduces a copy's distance to
  /// the same singer at the target pitch by at least a fifth.
  @Test func theGapsAreFilled() throws {
    let lead = try Songbook.performance(id: "slides-alto").withIrregularity(times: 0)
    let input = try lead.render().signal
    let ideal = try lead.transposed(bySemitones: 4).render().signal
    let track = try PitchTracker().track(ideal)
    let wanted = Self.levels(of: ideal, track)
    func distanceDb(_ fillsGaps: Bool) throws -> Double {
      let output = try Self.shifter(fillsGaps: fillsGaps)
        .render(input, voices: [.init(shift: .constant(4))])[0]
      let found = Self.levels(of: output, track)
      let squares = wanted.flatMap { time, levels -> [Double] in
        guard let other = found[time] else { return [] }
        let differences = zip(levels, other).prefix(10).map { $0 - $1 }
        let mean = differences.reduce(0, +) / Double(differences.count)
        return differences.map { ($0 - mean) * ($0 - mean) }
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    let (filled, bare) = (try distanceDb(true), try distanceDb(false))
    #expect(filled < 0.8 * bare, "\(filled) dB against \(bare)")
  }

  /// The levels of the harmonics at each tenth of a second.
  private static func levels(of signal: Signal, _ track: PitchTrack) -> [Int: [Double]] {
    let sampler = HarmonicSampler(of: signal, ceilingHz: 5_000)
    return Dictionary(
      uniqueKeysWithValues: (0..<Int(signal.durationSeconds * 10)).compactMap { tenth in
        let time = Double(tenth) / 10
        guard let hz = track.f0Hz(atSeconds: time),
          let levels = sampler.levels(atSeconds: time, expectedHz: hz)
        else { return nil }
        return (tenth, levels.levelsDb)
      })
  }

  @Test(arguments: [0, 1, 2, 100, 5_000]) func anySoundGivesFiniteOutput(count: Int) throws {
    for sample in [Float(0), 0.5, .nan, .infinity, 1e30] {
      for rate in [8_000.0, 192_000] {
        let input = Signal(Array(repeating: sample, count: count), sampleRateHz: rate)
        let output = try Self.shifter(fillsGaps: true)
          .render(input, voices: [.init(shift: .constant(12)), .init(shift: .constant(-12))])
        #expect(output.allSatisfy { $0.count == count && $0.samples.allSatisfy(\.isFinite) })
      }
    }
  }

  /// A finite sample that no converter gives counts as missing: it is heard nowhere.
  @Test(arguments: [Float(1e30), -3e38]) func aSampleFarTooLoudCountsAsMissing(bad: Float) throws {
    var input = Self.voice(hz: 147, seconds: 0.5)
    input.samples[12_000] = bad
    let output = try Self.shifter().render(input, voices: [.init(shift: .constant(-12))])[0]
    #expect(output.samples.allSatisfy { $0.magnitude < 2 })
  }

  @Test func settingsOutOfRangeAreNamed() throws {
    let signal = Signal([0, 0], sampleRateHz: rateHz)
    #expect(throws: SettingsError.self) {
      try Self.shifter().render(signal, voices: [.init(shift: .constant(.nan))])
    }
    #expect(throws: SettingsError.self) {
      try Self.shifter().render(
        signal, voices: [.init(shift: .constant(0), formantShiftSemitones: 13)])
    }
    var settings = OfflineShifter.Settings()
    settings.mostFillDb = -1
    #expect(throws: SettingsError.self) { try OfflineShifter(settings) }
  }
}
