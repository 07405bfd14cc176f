import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct EpochFinderTests {
  private func marks(_ signal: Signal) throws -> [Epoch] {
    try EpochFinder().epochs(in: signal, track: PitchTracker().track(signal))
  }

  @Test(arguments: [80.0, 220, 880])
  func aSteadyVoiceHasOneMarkAPeriod(hz: Double) throws {
    let found = try marks(TestVoice { _ in hz }.signal()).filter {
      $0.isVoiced && 4_800..<43_200 ~= $0.timeSamples
    }
    #expect(abs(found.count - Int(0.8 * hz)) <= 1)
    // A parabola resolves a lag at 24 kHz to a few hundredths of a sample.
    for mark in found { #expect(abs(mark.spacingSamples - 48_000 / hz) < 0.2) }
  }

  @Test func spacingFollowsTheSingersJitter() throws {
    try expectSpacingFollowsJitter(marks)
  }

  /// A voice of 110 Hz with one pulse that is weak, inverted, or late by almost half a period:
  /// marks stay one period apart, to both ends of the given pitch.
  @Test(arguments: [(0.02, 0.0), (-1, 0), (1, 0.45)])
  func anIrregularPeriodLeavesNoGap(size: Double, late: Double) throws {
    let (hz, count, odd) = (110.0, 88, 44)
    let pulses = (0..<count).map { 0.05 + (Double($0) + ($0 == odd ? late : 0)) / hz }
    let sizes = (0..<count).map { $0 == odd ? size : 1 }
    let signal = QualityVoice.pulses(pulses, sizes)
    let frames = Int(signal.durationSeconds / 0.005)
    let isSung = (0..<frames).map { (0.05...0.85).contains(Double($0) * 0.005) }
    let track = PitchTrack(hopSeconds: 0.005, f0Hz: isSung.map { $0 ? hz : 0 })
    let marks = EpochFinder().epochs(in: signal, track: track).filter(\.isVoiced)
    let seconds = marks.map { $0.timeSamples / signal.sampleRateHz }
    #expect(abs(marks.count - Int(0.8 * hz)) <= 1)
    #expect(seconds.first! < 0.05 + 1 / hz && seconds.last! > 0.85 - 1 / hz)
    // A late pulse divides two periods as 1.45 to 0.55; no distance may be larger.
    for (a, b) in zip(seconds, seconds.dropFirst()) { #expect((b - a) * hz < 1.5) }
  }

  /// Each period has two pulses, and half way the other one becomes the stronger: marks move towards it, but
  /// stay one period apart, within 1 %.
  @Test func theStrongestPulseOfAPeriodMayChange() throws {
    let (hz, count) = (140.0, 120)
    let starts = (0..<count).map { 0.05 + Double($0) / hz }
    let pulses: [Double] = starts.flatMap { [$0, $0 + 0.3 / hz] }
    let sizes: [Double] = starts.indices.flatMap { $0 < count / 2 ? [1.0, 0.6] : [0.6, 1.0] }
    let signal = QualityVoice.pulses(pulses, sizes)
    let track = QualityVoice.steadyTrack(f0Hz: hz, from: 0.05, to: 0.9)
    let found = EpochFinder().epochs(in: signal, track: track).filter {
      $0.isVoiced && 4_800..<38_400 ~= $0.timeSamples
    }
    #expect(found.count > 90)
    for mark in found {
      #expect(abs(mark.spacingSamples * hz / signal.sampleRateHz - 1) < 0.01)
    }
  }

  /// Harmonics 3 to 5 in sine phase are in step at the middle between a peak and a trough, where their power has its
  /// centre: at whole periods from time 0. Marks at the highest peaks would lie .06 periods beside it.
  @Test func marksStandAtTheCentreOfPower() throws {
    let (hz, rateHz) = (150.0, 48_000.0)
    let signal = Signal.harmonics([0, 0, 0.2, 0.2, 0.2], of: hz, sampleRateHz: rateHz)
    let track = QualityVoice.steadyTrack(f0Hz: hz, from: 0, to: 1)
    let found = EpochFinder().epochs(in: signal, track: track).filter {
      $0.isVoiced && 4_800..<43_200 ~= $0.timeSamples
    }
    #expect(abs(found.count - 120) <= 1)
    for mark in found {
      let periods = mark.timeSamples / rateHz * hz
      #expect(abs(periods - periods.rounded()) < 0.01)
    }
  }

  /// A voice without peaks, such as a constant that a track calls voiced, is marked by the pitch.
  @Test func aVoiceWithoutPeaksIsMarkedByItsPitch() throws {
    let signal = Signal(Array(repeating: Float(0), count: 48_000), sampleRateHz: 48_000)
    let track = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 200, count: 200))
    let marks = EpochFinder().epochs(in: signal, track: track).filter(\.isVoiced)
    #expect(abs(marks.count - 200) <= 1)
    for mark in marks.dropFirst() { #expect(abs(mark.spacingSamples - 240) < 0.001) }
  }

  @Test func allOfASoundIsMarked() throws {
    let rest = [Float](repeating: 0, count: 12_000)
    let sung = TestVoice { _ in 220 }.signal().samples
    let found = try marks(Signal(rest + sung + rest, sampleRateHz: 48_000))
    for (a, b) in zip(found, found.dropFirst()) {
      #expect(b.timeSamples > a.timeSamples && b.timeSamples - a.timeSamples < 960)
    }
    #expect(found.first!.timeSamples < 241 && found.last!.timeSamples > 72_000 - 481)
    #expect(!found.first!.isVoiced && !found.last!.isVoiced)
  }

  @Test(arguments: [0, 1, 5, 300])
  func tinySoundsHaveAResult(count: Int) throws {
    let scrap = Signal([Float](repeating: .nan, count: count), sampleRateHz: 48_000)
    #expect(try marks(scrap).allSatisfy { !$0.isVoiced })
    let claimed = PitchTrack(hopSeconds: 0.005, f0Hz: [220, 220, 220])
    _ = EpochFinder().epochs(in: scrap, track: claimed)
  }
}
