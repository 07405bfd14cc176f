import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct MetronomeTests {
  private static func meter(_ text: String) throws -> MeterMap {
    MeterMap(try TimeSignature(named: text))
  }

  /// The samples where clicks begin: nonzero after at least 100 zeros.
  private static func onsets(_ signal: Signal) -> [Int] {
    var (found, quiet) = ([Int](), 100)
    for (i, sample) in signal.samples.enumerated() {
      if sample != 0, quiet >= 100 { found.append(i) }
      quiet = sample == 0 ? quiet + 1 : 0
    }
    return found
  }

  /// A quarter in 3/4 at 100 is 28,800 samples; a count in 6/8 is half of that.
  @Test(arguments: [("3/4", 28_800, 3), ("6/8", 14_400, 6), ("4/4", 28_800, 4), ("2/2", 57_600, 2)])
  func clicksAreOnTheCounts(signature: String, step: Int, bar: Int) throws {
    var metronome = Metronome(
      tempo: try TempoMap(beatsPerMinute: 100), timeSignature: try Self.meter(signature),
      sampleRateHz: 48_000)
    let track = Signal(
      metronome.render([Float](repeating: 0, count: 288_000)), sampleRateHz: 48_000)
    let onsets = Self.onsets(track)
    #expect(onsets == (0..<(288_000 / step)).map { $0 * step })
    for (index, onset) in onsets.enumerated() {
      // Accents have twice the amplitude, -6 instead of -12 dB, and 1500 instead of 1000 Hz.
      let click = track.samples[onset..<onset + 480]
      let isAccent = index % bar == 0
      let hz = isAccent ? 1500.0 : 1000
      #expect(SineFit(click, hz: hz, sampleRateHz: 48_000).residualDb < 0)
      let peak = click.map(abs).max() ?? 0
      #expect(isAccent ? peak > 0.4 && peak <= 0.502 : peak > 0.2 && peak <= 0.252)
    }
  }

  /// An hour at 137: count n is at sample 44,100 · 60 n / 137, computed in integers.
  @Test func timesStayExactForAnHour() throws {
    let table = CountTable(try TempoMap(beatsPerMinute: 137), MeterMap())
    var place = CountTable.Place()
    for count in 0..<137 * 60 {
      let sample = Int((table.seconds(place) * 44_100).rounded())
      #expect(sample == (44_100 * 60 * 2 * count + 137) / 274)
      #expect(table.isAccent(place) == (count % 4 == 0))
      table.advance(&place)
    }
  }

  /// A tempo of 60 until beat 2.5, then 120, 3/4 from beat 4 on: counts are at 0, 1, 2, 2.75 (beat
  /// 3), 3.25 (beat 4, a new bar), 3.75, 4.25, 4.75 (the next bar).
  @Test func tempoAndMeterChange() throws {
    let table = CountTable(
      try TempoMap([
        .init(atBeats: 0, beatsPerMinute: 60), .init(atBeats: 2.5, beatsPerMinute: 120),
      ]),
      try MeterMap([
        .init(atBeats: 0, .common), .init(atBeats: 4, try TimeSignature(3, 4)),
      ]))
    var place = CountTable.Place()
    for (seconds, isAccent) in [
      (0.0, true), (1, false), (2, false), (2.75, false), (3.25, true), (3.75, false),
      (4.25, false), (4.75, true), (5.25, false),
    ] {
      #expect(abs(table.seconds(place) - seconds) < 1e-12 && table.isAccent(place) == isAccent)
      table.advance(&place)
    }
  }

  @Test func keepsTheContractOfProcessors() throws {
    let conformance = ProcessorConformance {
      // Clicks of 30 ms every 15 ms overlap.
      Metronome(
        tempo: try TempoMap(beatsPerMinute: 1000), timeSignature: try Self.meter("7/16"),
        sampleRateHz: 48_000)
    }
    #expect(try conformance.findings() == [])
  }

  @Test func theInputIsMixedIn() throws {
    let tempo = try TempoMap(beatsPerMinute: 60)
    var metronome = Metronome(tempo: tempo, sampleRateHz: 48_000)
    var alone = Metronome(tempo: tempo, sampleRateHz: 48_000)
    let tone = SampleTests.tone(hz: 300, seconds: 1).samples
    let output = metronome.render(tone)
    let clicks = alone.render([Float](repeating: 0, count: tone.count))
    for i in tone.indices { #expect(output[i] == tone[i] + clicks[i]) }
  }
}
