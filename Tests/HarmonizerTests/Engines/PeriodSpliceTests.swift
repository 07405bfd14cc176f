import DSP
import Foundation
import Testing

@testable import Harmonizer

private let rateHz = 48_000.0

/// The delay line that jumps by whole periods of the voice.
@Suite struct PeriodSpliceTests {
  static func settings(_ periods: Int) -> DelayLineShifter.Settings {
    DelayLineShifter.Settings {
      ($0.windowMs, $0.crossfadeMs, $0.spliceToPeriods) = (20, 10, periods)
    }
  }

  static func render(
    _ input: [Float], _ semitones: Double, periods: Int, blockSize: Int = 128
  ) throws -> [Float] {
    var voice = SingleVoice(
      try DelayLineBank(
        shiftsSemitones: [semitones], settings(periods), sampleRateHz: rateHz))
    return voice.render(input, blockSize: blockSize)
  }

  /// Eight equal harmonics in random phases.
  static func voice(hz: (Double) -> Double, seconds: Double) -> [Float] {
    var random = SeededGenerator(seed: 7)
    let starts = (1...8).map { _ in random.uniform() }
    // A table, for speed.
    let period = (0..<4096).map { n -> Double in
      (1...8).reduce(0.0) { sum, k in
        let turns: Double = Double(k * n) / 4096 + starts[k - 1]
        return sum + sin(2 * Double.pi * turns)
      }
    }
    var cycles = 0.0
    return (0..<Int(seconds * rateHz)).map { n in
      cycles += hz(Double(n) / rateHz) / rateHz
      let place = cycles * 4096
      let share = place - place.rounded(.down)
      let (a, b) = (period[Int(place) & 4095], period[(Int(place) + 1) & 4095])
      return Float(0.08 * (a + share * (b - a)))
    }
  }

  /// A jump by a whole period preserves the waveform, so the fundamental is `ratio * hz` and not
  /// the nearest line of a free sweep. An isolated line in a second under a Hann window is accurate
  /// to 0.01 Hz, 0.3 cents at 55 Hz.
  @Test(arguments: [-12.0, -5, 4, 7, 12], [110.0, 233])
  func thePitchIsTheTarget(semitones: Double, hz: Double) throws {
    let target = hz * exp2(semitones / 12)
    for periods in [1, 4] {
      let output = try Self.render(
        Self.voice(hz: { _ in hz }, seconds: 1.3), semitones, periods: periods)
      let line = strongestLineHz(in: Array(output.suffix(Int(1 * rateHz))), near: target)
      #expect(abs(1200 * log2(line / target)) < 0.3)
    }
    let law = DelayLineLaw(
      shiftSemitones: semitones, settings: Self.settings(0), sampleRateHz: rateHz)
    // The free sweep can only give a line of its grid, which is right by chance only.
    let free = try Self.render(Self.voice(hz: { _ in hz }, seconds: 1.3), semitones, periods: 0)
    let line = strongestLineHz(in: Array(free.suffix(Int(1 * rateHz))), near: target)
    let onGrid = (line - hz) / law.sweepRateHz
    #expect(abs(onGrid - onGrid.rounded()) * law.sweepRateHz < 0.05)
  }

  /// The level over one period of the output stays constant; a free sweep modulates it by several
  /// per cent. The limit is 0.5 %: linear interpolation attenuates the eighth harmonic between
  /// samples by up to 0.3 %.
  @Test(arguments: [-7.0, 4]) func periodSplicesRemoveTheTremolo(semitones: Double) throws {
    let input = Self.voice(hz: { _ in 160 }, seconds: 1.5)
    let period = rateHz / (160 * exp2(semitones / 12))
    func tremble(_ periods: Int) throws -> Double {
      let output = try Self.render(input, semitones, periods: periods).suffix(48_000)
      return Self.tremble(Array(output), periodSamples: period)
    }
    #expect(try tremble(1) < 0.005)
    #expect(try tremble(3) < 0.005)
    #expect(try tremble(0) > 0.03)
  }

  /// The standard deviation over the mean of the level within two periods.
  static func tremble(_ samples: [Float], periodSamples: Double) -> Double {
    let width = Int((2 * periodSamples).rounded())
    let levels = stride(from: 0, to: samples.count - width, by: width / 4).map { start in
      samples[start..<(start + width)].reduce(0.0) { $0 + Double($1 * $1) }.squareRoot()
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    let variance = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)
    return variance.squareRoot() / mean
  }

  /// A period of 0, unvoiced sound, leaves the sweep that was set, bit for bit.
  @Test(arguments: [-5.0, 7]) func theSweepIsFreeWithoutVoicing(semitones: Double) throws {
    let input = noise(count: 20_000)
    var free = try DelayLineShifter(
      shiftSemitones: semitones, Self.settings(0), sampleRateHz: rateHz)
    var told = try DelayLineShifter(
      shiftSemitones: semitones, Self.settings(2), sampleRateHz: rateHz)
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 125) {
      told.follow(periodSamples: 0)
      output += told.render(Array(input[start..<(start + 125)]))
    }
    #expect(output == free.render(input))
  }

  /// A voice that glides, leaps and pauses has no step greater than the input's own times the speed
  /// of reading: the crossfade lasts at least half a period.
  @Test(arguments: [-12.0, -4, 3, 12]) func changesOfWindowDontClick(semitones: Double) throws {
    let input = Self.voice(
      hz: { $0 < 0.5 ? 100 + 200 * $0 : $0 < 1 ? 420 : $0 < 1.2 ? 0 : 90 }, seconds: 1.7)
    let output = try Self.render(input, semitones, periods: 1)
    func steepest(_ samples: [Float]) -> Float {
      zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max()!
    }
    // A crossfade adds at most the difference of the taps over its length: 57 samples at 420 Hz,
    // passed at up to `ratio` a sample.
    let ratio = Float(exp2(max(0, semitones) / 12))
    #expect(steepest(Array(output)) < steepest(input) * ratio * 1.5 + 2 * ratio / 57)
  }

  @Test(arguments: [-7.0, 5]) func keepsTheContract(semitones: Double) throws {
    let input = Self.voice(hz: { 150 + 100 * $0 }, seconds: 0.8)
    let whole = try Self.render(input, semitones, periods: 1, blockSize: input.count)
    for size in [1, 37, 128, 5000] {
      #expect(try Self.render(input, semitones, periods: 1, blockSize: size) == whole)
    }
    var voice = SingleVoice(
      try DelayLineBank(
        shiftsSemitones: [semitones], Self.settings(1), sampleRateHz: rateHz))
    #expect(voice.render(input) == whole)
    voice.reset()
    #expect(voice.render(input) == whole)
    var damaged = input
    damaged[5000] = .nan
    damaged[5001] = .infinity
    voice.reset()
    let output = voice.render(damaged)
    #expect(output.allSatisfy { $0.isFinite })
  }

  /// The louder tap's delay ranges from half a crossfade to that plus a window, 0.75 windows on
  /// average. The last half second contains at least 29 sweeps, so an incomplete one counts for at
  /// most 2 %.
  @Test(arguments: [-5.0, 7], [1, 2]) func theDelayDependsOnTheNote(
    semitones: Double, periods: Int
  ) throws {
    let input = Self.voice(hz: { _ in 220 }, seconds: 1)
    var bank = try DelayLineBank(
      shiftsSemitones: [semitones], Self.settings(periods), sampleRateHz: rateHz)
    var delays: [Double] = []
    for start in stride(from: 0, to: input.count, by: 5) {
      var output = [Float](repeating: 0, count: 5)
      var target = output.mutableSpan
      bank.process(input.span, start..<(start + 5), into: &target)
      delays.append(bank.state(ofVoice: 0).delaySamples)
    }
    let expected = 0.75 * Double(periods) * rateHz / 220
    let late = delays.suffix(4800)
    #expect(abs(late.reduce(0, +) / 4800 / expected - 1) < 0.03)
    let law = DelayLineLaw(
      shiftSemitones: semitones, settings: Self.settings(periods), sampleRateHz: rateHz,
      noteHz: 220)
    #expect(abs(law.meanDelaySamples - expected) < 1e-9)
  }

  @Test(arguments: [8_000.0, 44_100, 192_000]) func anyRateAndShiftIsFinite(rate: Double) throws {
    var random = SeededGenerator(seed: 3)
    var bank = try DelayLineBank(shiftsSemitones: [0, 24], Self.settings(4), sampleRateHz: rate)
    var cycles = 0.0
    for _ in 0..<300 {
      let hz = 60 + 1200 * random.uniform()
      let block = (0..<200).map { _ in
        cycles += hz / rate
        return Float(0.9 * sin(2 * .pi * cycles))
      }
      for voice in 0..<2 { bank.setShift(semitones: 48 * random.uniform() - 24, ofVoice: voice) }
      var output = [Float](repeating: 0, count: 400)
      var target = output.mutableSpan
      bank.process(block.span, 0..<200, into: &target)
      #expect(output.allSatisfy { abs($0) <= 0.9 })
    }
  }

  @Test func oldSettingsHaveAFreeSweep() throws {
    let text = #"{"engine": "delayline", "windowMs": 20, "crossfadeMs": 10}"#
    let engine = try JSONDecoder().decode(Engine.self, from: Data(text.utf8))
    #expect(engine == .delayLine(Self.settings(0)))
    #expect(throws: SettingsError.self) { try Self.settings(5).validate() }
  }
}
