import DSP
import Foundation
import ProcessorConformance
import Testing

@testable import Harmonizer

private let rateHz = 48_000.0

@Suite struct DelayLineShifterTests {
  static let settings = DelayLineShifter.Settings { ($0.windowMs, $0.crossfadeMs) = (20, 10) }

  static func make(
    _ semitones: Double, _ settings: DelayLineShifter.Settings = settings
  ) throws -> DelayLineShifter {
    try DelayLineShifter(shiftSemitones: semitones, settings, sampleRateHz: rateHz)
  }

  @Test(arguments: [-12.0, -5, 0, 4, 7.5, 12])
  func keepsTheProcessorContract(semitones: Double) throws {
    let conformance = ProcessorConformance { try Self.make(semitones) }
    #expect(try conformance.findings() == [])
  }

  /// The mean delay is half of the sum of window and crossfade. The 400 impulses don't cover the
  /// last sweep evenly, which leaves up to 0.5 ms, 24 samples.
  @Test(arguments: [-12.0, -5, 4, 7, 12], [(10.0, 5.0), (20, 2), (40, 20), (93, 46)])
  func meanDelayIsHalfOfWindowAndCrossfade(
    semitones: Double, shape: (windowMs: Double, crossfadeMs: Double)
  ) throws {
    let settings = DelayLineShifter.Settings {
      ($0.windowMs, $0.crossfadeMs) = (shape.windowMs, shape.crossfadeMs)
    }
    #expect(
      try abs(
        Double(Self.make(semitones, settings).latencySamples) / rateHz * 1000
          - (shape.windowMs + shape.crossfadeMs) / 2) < 0.02)  // half a sample
    var conformance = ProcessorConformance { try Self.make(semitones, settings) }
    conformance.latencyTolerance = 24
    #expect(try conformance.latencyFindings() == [])
  }

  /// A shift that returns to 0 leaves one tap alone, wherever the sweep then is: of noise one delayed copy, which lies
  /// between its samples where it is interpolated.
  @Test(arguments: [700, 1100, 1500, 1900, 2300]) func oneTapIsLeftWhereTheShiftReturnsTo0(
    shifted: Int
  ) throws {
    let sound = noise(count: 12_000)
    var shifter = try Self.make(4)
    _ = shifter.render(Array(sound[..<shifted]))
    shifter.setShift(semitones: 0)
    let output = shifter.render(Array(sound[shifted...]))
    let settled = 2_000
    let errors = (0..<2_000).map { delay in
      (settled..<settled + 2_000).reduce(0.0) { sum, n in
        let at = { (k: Int) in Double(sound[shifted + n - delay - k]) }
        // Between two samples the interpolation lies between them.
        let (low, high) = (min(at(0), at(1)), max(at(0), at(1)))
        return sum + max(0, low - Double(output[n]), Double(output[n]) - high)
      }
    }
    #expect(errors.min()! < 1e-3)
  }

  /// A shift that goes to 0 and comes back makes no click: no step of the output is larger than that of a
  /// tone of the same level two octaves higher.
  @Test func standingStillMakesNoClick() throws {
    let sound = tone(hz: 200, seconds: 1)
    var shifter = try Self.make(12)
    let output = stride(from: 0, to: 48_000, by: 640).flatMap { start in
      shifter.setShift(semitones: start / 640 % 3 == 0 ? 0 : start / 640 % 2 == 0 ? 12 : -12)
      return shifter.render(Array(sound[start..<start + 640]))
    }
    let level = sound.reduce(0) { max($0, abs($1)) }
    let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! < level * Float(2 * Double.pi * 800 / 48_000))
  }

  /// The recurrence documented by the Faust libraries for `transpose(w, x, s, sig)`, implemented a
  /// second time:
  ///
  ///     fdelay(maxDelay, d, sig) * fmin(d/x, 1) + fdelay(maxDelay, d+w, sig) * (1 - fmin(d/x, 1))
  ///     with { i = 1 - pow(2, s/12); d = i : (+ : +(w) : fmod(_, w)) ~ _; }
  @Test(arguments: [-12.0, -4.3, 3, 7, 19])
  func matchesThePublishedRecurrence(semitones: Double) throws {
    let (w, x) = (0.020 * rateHz, 0.010 * rateHz)
    let i = 1 - pow(2, semitones / 12)
    let sig = noise(count: 20_000)
    func delayed(_ n: Int, _ d: Double) -> Double {
      func at(_ k: Int) -> Double { k < 0 ? 0 : Double(sig[k]) }
      let whole = Int(d)
      return at(n - whole) * (1 - (d - Double(whole))) + at(n - whole - 1) * (d - Double(whole))
    }
    var d = (w + x) / 2  // the initial delay of the engine's taps
    var expected: [Double] = []
    for n in sig.indices {
      let fade = fmin(d / x, 1)
      expected.append(delayed(n, d) * fade + delayed(n, d + w) * (1 - fade))
      d = fmod(i + d + w, w)
    }
    var shifter = try Self.make(semitones)
    let output = shifter.render(sig)
    // Single precision arithmetic on samples up to 1: a few units of 2⁻²⁴.
    let worst = zip(output, expected).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 1e-6)
  }

  /// A tone leaves as spectral lines at `f + k * sweepRate`, with nothing between them.
  @Test(arguments: [-12.0, -5, 4, 7], [110.0, 220, 330])
  func aToneLeavesOnTheLinesOfTheSweep(semitones: Double, hz: Double) throws {
    let ratio = exp2(semitones / 12)
    let sweepHz = abs(1 - ratio) * rateHz / (0.020 * rateHz)
    var shifter = try Self.make(semitones)
    let output = shifter.render(tone(hz: hz, seconds: 4)).suffix(3 * 48_000)
    let strongest = strongestLineHz(in: Array(output))
    let k = ((strongest - hz) / sweepHz).rounded()
    // An isolated line in three seconds under a Hann window, interpolated, is accurate to 0.02 Hz.
    #expect(abs(strongest - (hz + k * sweepHz)) < 0.05)
    // It is one of the two lines around the true transposition.
    #expect(abs(strongest - ratio * hz) <= sweepHz)
    let law = DelayLineLaw(shiftSemitones: semitones, settings: Self.settings, sampleRateHz: rateHz)
    #expect(abs(law.sweepRateHz - sweepHz) < 1e-9)
  }

  @Test func aShiftOfZeroIsAnExactDelay() throws {
    var shifter = try Self.make(0)
    let input = noise(count: 5_000)
    let output = shifter.render(input)
    #expect(shifter.latencySamples == 720)  // (20 ms + 10 ms) / 2 at 48 kHz
    #expect(Array(output[720...]) == Array(input[..<4_280]))
  }

  @Test func settingsOutOfRangeAreNamed() throws {
    let short = DelayLineShifter.Settings { ($0.windowMs, $0.crossfadeMs) = (20, 30) }
    #expect(throws: SettingsError.self) { _ = try Self.make(0, short) }
    do {
      _ = try Self.make(30)
      Issue.record("a shift of 30 semitones was accepted")
    } catch let error as SettingsError {
      #expect(error.description == "shiftSemitones is 30.0; choose -24.0 to 24.0")
    }
    #expect(throws: SettingsError.self) { _ = try Self.make(.nan) }
  }
}

func tone(hz: Double, seconds: Double) -> [Float] {
  (0..<Int(seconds * rateHz)).map { Float(0.5 * sin(2 * .pi * hz * Double($0) / rateHz)) }
}

/// White noise within ±1.
func noise(count: Int) -> [Float] {
  var random = SeededGenerator(seed: 1)
  return (0..<count).map { _ in Float(2 * random.uniform() - 1) }
}

/// The frequency of the highest peak, or of the highest within 30 Hz of an expected frequency, by a
/// parabola through the logarithms of three bins.
func strongestLineHz(in samples: [Float], near expectedHz: Double? = nil) -> Double {
  let window = Window.hann.samples(samples.count)
  var transform = FourierTransform(count: 1 << 18)
  let tapered = zip(samples, window).map { $0 * Float($1) }
  transform.forward(tapered.span)
  let level = (0..<transform.binCount).map { log(Double(transform[$0].power) + 1e-30) }
  let binHz = rateHz / Double(1 << 18)
  let bins = expectedHz.map { Int(($0 - 30) / binHz)..<Int(($0 + 30) / binHz) + 1 }
  let peak = (bins ?? 1..<level.count - 1).max { level[$0] < level[$1] }!
  let (a, b, c) = (level[peak - 1], level[peak], level[peak + 1])
  return (Double(peak) + (a - c) / (2 * (a - 2 * b + c))) * binHz
}
