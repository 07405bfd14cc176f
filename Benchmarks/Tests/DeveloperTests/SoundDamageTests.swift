import Analyzer
import DSP
import Foundation
import Statistics
import TestSupport
import Testing

@testable import Subjects
@testable import choir_dev

/// Each change to a sound has exactly its stated amount.
@Suite struct SoundDamageTests {
  private static let rate = 48_000.0
  /// Sung from 0.5 s to 1.5 s of 2 s.
  private static let lead = PitchTrack(
    hopSeconds: 0.005, f0Hz: (0..<400).map { 100..<300 ~= $0 ? 200 : 0 })
  private static let ones = Signal([Float](repeating: 1, count: 96_000), sampleRateHz: rate)

  private func random() -> SeededGenerator { SeededGenerator(seed: 5) }

  /// 0.5 ms is 24 samples at 48 kHz; a windowed sinc passes whole samples unchanged.
  @Test func halfAMillisecondIsTwentyFourSamples() {
    let noise = ProbeSounds.noise(seconds: 0.2, sampleRateHz: Self.rate)
    let late = noise.delayed(by: { _ in 0.0005 })
    for i in 0..<noise.count {
      let wanted = i >= 24 ? noise.samples[i - 24] : 0
      #expect(abs(late.samples[i] - wanted) < 1e-6, "\(i)")
    }
  }

  /// A tone shows any delay in its phase. The table has 4096 steps a sample, so a sample of 3 kHz is
  /// off by at most 2π · 3 / 48 / 8192 = 5e-5.
  @Test func fractionsOfASampleAreExact() {
    let hz = 3000.0
    let tone = Signal.sine(hz, amplitude: 0.5, seconds: 0.1)
    let late = tone.delayed(by: { _ in 10.3 / Self.rate })
    for i in 100..<4700 {
      let wanted = 0.5 * sin(2 * .pi * hz * (Double(i) - 10.3) / Self.rate)
      #expect(abs(Double(late.samples[i]) - wanted) < 1e-4, "\(i)")
    }
  }

  @Test func wanderHasItsDeviationAndNoMean() {
    var random = random()
    let wander = WanderingDelay(deviationSeconds: 0.001, seconds: 800, &random)
    let knots = (0..<4000).map { wander.value(atSeconds: Double($0) * 0.2) }
    // For 4000 values the standard error of the mean is σ/63, and that of σ is σ/89.
    let mean = Statistics.mean(knots)!
    #expect(abs(mean) < 0.000_06)
    let square = Statistics.mean(knots.map { ($0 - mean) * ($0 - mean) })!
    #expect(abs(square.squareRoot() - 0.001) < 0.000_05)
  }

  @Test func tiltFallsFromAHundredToFiveThousandHertz() {
    // 707 Hz is the middle of a logarithmic axis, so the change is half.
    for (hz, db) in [(100.0, 0.0), (707.1, -1.5), (5000, -3)] {
      let tone = Signal.sine(hz, amplitude: 0.5)
      let change = 20 * log10(tone.tilted(db: -3).rms / tone.rms)
      // The tone's beginning and end contain other frequencies.
      #expect(abs(change - db) < 0.02, "\(hz) Hz: \(change)")
    }
  }

  @Test func shelfLeavesWhatLiesBelow() {
    for (hz, db) in [(1000.0, 0.0), (4000, -12)] {
      let tone = Signal.sine(hz, amplitude: 0.5)
      let change = 20 * log10(tone.shelved(db: -12, aboveHz: 2000).rms / tone.rms)
      #expect(abs(change - db) < 0.05, "\(hz) Hz: \(change)")
    }
  }

  @Test func tremoloHasItsDepthFromCrestToTrough() {
    var random = random()
    let swinging = Self.ones.trembling(db: 1, &random)
    let depth = 20 * log10(swinging.samples.max()! / swinging.samples.min()!)
    #expect(abs(depth - 1) < 0.001)
  }

  @Test func aVoiceIsDroppedWhileTheLeadSings() throws {
    var random = random()
    let gone = Self.ones.dropped(ms: 200, lead: Self.lead, &random)
    let changed = gone.samples.indices.filter { gone.samples[$0] < 1 }
    #expect(abs(changed.count - 9600) <= 2)
    // The ramps last 5 ms.
    #expect(abs(gone.samples.count { $0 == 0 } - 9120) <= 2)
    #expect(0.5...1.5 ~= Double(try #require(changed.first)) / Self.rate)
  }

  /// 10 % of 1 s sung is two bursts of 50 ms.
  @Test func burstsMakeUpTheirShare() {
    var random = random()
    let zeros = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: Self.rate)
    let some = zeros.bursts(of: Self.ones, seconds: 0.05, share: 0.1, lead: Self.lead, &random)
    // The bursts may overlap.
    #expect(2400...4800 ~= some.samples.count { $0 > 0 })
    // One of 100 ms has the same share; it may start up to the end of what is sung.
    let long = zeros.bursts(of: Self.ones, seconds: 0.1, share: 0.1, lead: Self.lead, &random)
    #expect(abs(long.samples.count { $0 > 0 } - 4800) <= 2)
  }

  @Test func aClickASecond() {
    var random = random()
    let zeros = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: Self.rate)
    let clicks = zeros.clickingEachSecond(dbfs: -40, &random).samples.filter { $0 != 0 }
    #expect(clicks.count == 2 && clicks.allSatisfy { abs($0 - 0.01) < 1e-6 })
  }

  @Test func theGateIsOpenWhereTheLeadHasNoPitch() {
    let gate = UnvoicedGate(Self.lead, delayMs: 10, sampleRateHz: Self.rate)
    let measured = gate.only(Self.ones).samples
    // 10 ms late, within half a frame of 5 ms.
    for (seconds, gain) in [(0.25, Float(1)), (0.52, 0), (1.0, 0), (1.5, 0), (1.53, 1)] {
      #expect(measured[Int(seconds * Self.rate)] == gain, "\(seconds) s")
    }
  }

  @Test func silenceIsOverAfterItsTime() {
    var silence = SilenceCounter(seconds: 0.001, sampleRateHz: Self.rate)
    let input = [Float](repeating: 0.1, count: 10) + [Float](repeating: 0, count: 50) + [0.1, 0]
    let bad = input.map { silence.isOver(after: $0) }
    // 48 samples of silence are allowed.
    #expect(bad.indices.filter { bad[$0] } == [58, 59])
  }
}
