import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct EventDelayTests {
  private let rateHz = 48_000.0
  private static let startsS = [0.31, 0.74, 1.02, 1.57, 1.9, 2.33, 2.71]

  /// A sound that starts at each time, rises over 15 ms, and decays.
  private func sound(lateMs: [Double], _ carrier: (Double) -> Double) -> Signal {
    Signal(
      (0..<Int(3.2 * rateHz)).map { n in
        let time = Double(n) / rateHz
        return zip(Self.startsS, lateMs).reduce(Float(0)) { sum, event in
          let since = time - event.0 - event.1 / 1000
          guard since > 0, since < 0.2 else { return sum }
          let swell = min(1, since / 0.015) * exp(-since / 0.08)
          return sum + Float(0.4 * swell * carrier(time))
        }
      }, sampleRateHz: rateHz)
  }

  private func tone(_ hz: Double) -> (Double) -> Double { { sin(2 * .pi * hz * $0) } }

  private func noise(_ seed: UInt64) -> (Double) -> Double {
    var random = SeededGenerator(seed: seed)
    return { _ in 2 * random.uniform() - 1 }
  }

  /// Each event has a delay of its own, at another pitch. The ripple of 220 Hz under 6 ms shifts a
  /// single lag by up to 0.6 ms, and the median too, because a tone lies in one band only.
  @Test(arguments: [165.0, 330, 554]) func eachEventHasItsOwnDelay(hz: Double) throws {
    let doses = [12.0, 20, 14, 25, 18, 22, 16]
    let input = sound(lateMs: doses.map { _ in 0 }, tone(220))
    let found = try EventDelay(of: sound(lateMs: doses, tone(hz)), from: input)
    #expect(found.delaysMs.count == doses.count)
    for (delay, dose) in zip(found.delaysMs, doses) {
      #expect(abs(try #require(delay) - dose) < 0.6)
    }
    #expect(abs(found.estimate.medianMs - 18) < 0.6)
    // Quantiles of the doses: 12.6 and 24.1.
    #expect(abs(found.estimate.p5Ms - 12.6) < 0.7 && abs(found.estimate.p95Ms - 24.1) < 0.7)
    #expect(found.estimate.confidence > 0.95 && found.estimate.lost == 0)
  }

  /// The output's noise differs from the input's; its loudness over 6 ms scatters by 5 %.
  @Test func noiseBurstsAreEvents() throws {
    let input = sound(lateMs: Self.startsS.map { _ in 0 }, noise(1))
    let output = sound(lateMs: Self.startsS.map { _ in 33 }, noise(2))
    let found = try EventDelay(of: output, from: input)
    #expect(abs(found.estimate.medianMs - 33) < 0.7)
    #expect(found.estimate.jitterMs < 3)
  }

  /// Two events are missing from the output; the others are still measured.
  @Test func lostEventsAreCounted() throws {
    let input = sound(lateMs: Self.startsS.map { _ in 0 }, tone(220))
    var output = sound(lateMs: Self.startsS.map { _ in 20 }, tone(330))
    for n in Int(1.5 * rateHz)..<Int(2.2 * rateHz) { output.samples[n] = 0 }
    let found = try EventDelay(of: output, from: input)
    #expect(found.estimate.lost == 2 && found.estimate.events == 5)
    #expect(abs(found.estimate.medianMs - 20) < 0.6)
  }

  /// Equal bursts every 160 ms: each matches the next ones as well, so none has a delay of its own.
  @Test func eventsThatMatchSeveralPlacesAreLost() throws {
    func bursts(lateMs: Double) -> Signal {
      Signal(
        (0..<Int(2 * rateHz)).map { n in
          let time = Double(n) / rateHz - lateMs / 1000
          let since = time.truncatingRemainder(dividingBy: 0.16)
          let swell = min(1, max(0, since) / 0.01) * exp(-max(0, since) / 0.02)
          return time < 0 ? 0 : Float(0.4 * swell * sin(2 * .pi * 220 * time))
        }, sampleRateHz: rateHz)
    }
    #expect(throws: Unmeasurable.self) {
      _ = try EventDelay(of: bursts(lateMs: 12), from: bursts(lateMs: 0))
    }
  }

  @Test func unmeasurableSoundsThrow() throws {
    let input = sound(lateMs: Self.startsS.map { _ in 0 }, tone(220))
    let steady = Signal.sine(220, amplitude: 0.3, seconds: 2, sampleRateHz: rateHz)
    let silence = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: rateHz)
    #expect(cause { try EventDelay(of: silence, from: input) } == .silent)
    #expect(cause { try EventDelay(of: input, from: steady) } == .noOnset)
    let lost = Unmeasurable(.lostOnsets, "7 of 7 onsets are not recognizable in the output")
    #expect(throws: lost) { try EventDelay(of: steady, from: input) }
  }

  @Test(arguments: [8000.0, 192_000], [Float.nan, .infinity, 1])
  func unusualInputDoesNotTrap(rate: Double, value: Float) throws {
    for samples in [[], [value], (0..<20_000).map { $0 % 100 < 50 ? value : -value }] {
      let rough = Signal(samples, sampleRateHz: rate)
      // The end of a square wave may count as an event, which also matches one period later.
      #expect(((try? EventDelay(of: rough, from: rough))?.estimate.medianMs ?? 0).isFinite)
      #expect((try? OnsetDelay(of: rough, from: rough))?.delayMs ?? 0 == 0)
    }
  }
}
