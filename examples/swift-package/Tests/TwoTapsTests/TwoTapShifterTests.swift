import Analyzer
import DSP
import Foundation
import Singer
import Statistics
import Testing
import TwoTaps

@Suite struct TwoTapShifterTests {
  private let rateHz = 48_000.0
  private let windowMs = 40.0

  /// A note that the window suits: half a window is a whole number of its periods, so the taps
  /// stay in phase and the shift is exact.
  @Test(arguments: [-12.0, -5, 3, 7])
  func suitedNoteIsShiftedExactly(semitones: Double) throws {
    let note = try sing(hz: 200)  // 4 periods in 20 ms
    let target = 200 * ratio(semitones)
    let errorCents = try errorCents(of: shifted(note, by: semitones), target: target)
    // Theory says 0: linear interpolation changes levels, not frequencies. What remains is the
    // tracker's own error, about 0.01 cents on a steady vowel without noise.
    #expect(abs(errorCents) < 0.05)
  }

  /// Any other note is off by up to half a line: the taps repeat themselves at `lineHz`, so a
  /// partial at `f` comes out at `f` plus multiples of it, the nearest one the strongest.
  @Test(arguments: [147.0, 233, 311], [-5.0, 4])
  func otherNotesAreWithinHalfALine(hz: Double, semitones: Double) throws {
    let target = hz * ratio(semitones)
    let errorCents = try errorCents(of: shifted(sing(hz: hz), by: semitones), target: target)
    // The two taps are equal, so the pattern repeats every half window.
    let lineHz = abs(1 - ratio(semitones)) / (windowMs / 2 / 1000)
    #expect(abs(errorCents) <= cents(target + lineHz / 2, over: target))
  }

  @Test(arguments: [-5.0, 4])
  func meanDelayIsHalfTheWindow(semitones: Double) throws {
    // 200 impulses, further apart than the window, meet the sweep in as many phases.
    let spacing = 2503
    var samples = [Float](repeating: 0, count: 200 * spacing)
    for i in stride(from: 0, to: samples.count, by: spacing) { samples[i] = 1 }
    let impulses = Signal(samples, sampleRateHz: rateHz)
    let delay = try ImpulseDelay(of: shifted(impulses, by: semitones), from: impulses)
    // The gains are symmetric about the middle of the window, so the mean delay is there. Phases
    // spread evenly leave an error of about one of 200 steps along 40 ms: 0.2 ms.
    #expect(abs(delay.meanMs - windowMs / 2) < 0.2)
    #expect(abs(delay.meanMs - Double(makeShifter(semitones).latencySamples) / 48) < 0.2)
  }

  @Test func badSamplesDoNotPass() throws {
    var note = try sing(hz: 200)
    note.samples[20_000] = .nan
    note.samples[30_000] = .infinity
    #expect(shifted(note, by: 4).firstNonFinite == nil)
  }

  @Test func blocksOfAnySizeGiveTheSameBits() throws {
    let note = try sing(hz: 200)
    #expect(shifted(note, by: 4, blockSize: 1) == shifted(note, by: 4, blockSize: 1000))
  }

  // MARK: Helpers

  /// One second of a steady vowel without breath or jitter.
  private func sing(hz: Double) throws -> Signal {
    var phrase = Phrase(voice: .alto, beatsPerMinute: 60)
    phrase.sing(semitones: 69 + 12 * log2(hz / 440), beats: 1, "a")
    return try phrase.performance().withoutNoise().render(sampleRateHz: rateHz).signal
  }

  private func makeShifter(_ semitones: Double) -> TwoTapShifter {
    TwoTapShifter(semitones: semitones, windowMs: windowMs, sampleRateHz: rateHz)
  }

  private func shifted(_ input: Signal, by semitones: Double, blockSize: Int = 128) -> Signal {
    var shifter = makeShifter(semitones)
    return Signal(shifter.render(input.samples, blockSize: blockSize), sampleRateHz: rateHz)
  }

  /// Distance of the median pitch from the target, in cents.
  private func errorCents(of output: Signal, target: Double) throws -> Double {
    let voiced = try PitchTracker().track(output).f0Hz.filter { $0 > 0 }
    return cents(try #require(Statistics.median(voiced)), over: target)
  }

  private func ratio(_ semitones: Double) -> Double { exp2(semitones / 12) }
}
