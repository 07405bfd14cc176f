import DSP
import Foundation
import Singer
import TestSupport
import Testing

@testable import Analyzer
@testable import Statistics

@Suite struct EpochTrackerTests {
  private func marks(
    _ signal: Signal, _ settings: EpochTracker.Settings = .init(), blockSize: Int = 256
  ) throws -> [Epoch] {
    var tracker = try EpochTracker(settings, sampleRateHz: signal.sampleRateHz)
    return tracker.epochs(in: signal, blockSize: blockSize)
  }

  @Test(arguments: [80.0, 110, 220, 440, 880])
  func aSteadyVoiceHasOneMarkAPeriod(hz: Double) throws {
    let found = try marks(TestVoice { _ in hz }.signal()).filter {
      $0.isVoiced && 9_600..<43_200 ~= $0.timeSamples
    }
    #expect(abs(found.count - Int(0.7 * hz)) <= 1)
    for mark in found {
      // The parabola's error at 24 kHz is 0.01 samples, and the pull adds a few hundredths.
      #expect(abs(mark.spacingSamples - 48_000 / hz) < 0.15)
    }
  }

  /// The marks follow a leap of a third before the pitch tracker reports it, 10 ms later. From the
  /// second period of the new note, spacings are within 2 % of its period, the error of a window
  /// that includes some of the old note.
  @Test(arguments: [3.0, -2]) func aLeapIsFollowedWithinTwoPeriods(semitones: Double) throws {
    let (low, high) = (220.0, 220 * exp2(semitones / 12))
    var settings = EpochTracker.Settings()
    settings.lookAheadPeriods = 0.5
    let found = try marks(TestVoice { $0 < 0.5 ? low : high }.signal(), settings)
    let after = found.filter { $0.isVoiced && $0.timeSamples > 24_000 + 2.2 * 48_000 / high }
    for mark in after.prefix(12) {
      #expect(abs(mark.spacingSamples * high / 48_000 - 1) < 0.02)
    }
  }

  /// The pull keeps the marks at their phase in the period over a long note.
  @Test func thePhaseOfMarksDoesNotDrift() throws {
    var voice = TestVoice { _ in 200.3 }
    voice.seconds = 4
    voice.noiseDb = -6
    let found = try marks(voice.signal()).filter { $0.isVoiced }
    func phase(_ mark: Epoch) -> Double {
      let turns = mark.timeSamples * 200.3 / 48_000
      return turns - turns.rounded(.down)
    }
    let reference = phase(found[60])
    let away = found.dropFirst(60).map { mark in
      let distance = abs(phase(mark) - reference)
      return min(distance, 1 - distance)
    }
    #expect(away.max()! < 0.05)
  }

  /// Without look-ahead a mark precedes its own period, so its spacing could only follow the one
  /// before.
  @Test(arguments: [0.5, 1, 2])
  func spacingFollowsTheSingersJitter(lookAheadPeriods: Double) throws {
    var settings = EpochTracker.Settings()
    settings.lookAheadPeriods = lookAheadPeriods
    try expectSpacingFollowsJitter { try marks($0, settings) }
  }

  /// Hiss below 3 kHz in bursts of 80 ms repeats by chance for short times. A tracker tuned for
  /// early detection, as psola's is, takes half of it for voice. Required repetition for 6 ms makes that less
  /// than half as likely, since only every other neighbour is similar. Voices are detected as
  /// before, 6 ms later.
  @Test func requiredRepetitionKeepsHissUnvoiced() throws {
    var random = SeededGenerator(seed: 9)
    var (low, lower) = (0.0, 0.0)
    let hiss = (0..<96_000).map { i in
      // Two poles at 3 kHz.
      low += 0.32 * (random.uniform() - 0.5 - low)
      lower += 0.32 * (low - lower)
      return i / 3_840 % 2 == 0 ? Float(lower) : 0
    }
    var settings = EpochTracker.Settings()
    settings.pitch.voicingThreshold = 0.001
    settings.unvoicedMs = 2
    settings.lookAheadPeriods = 0.5
    func voicedShare(_ sound: [Float]) throws -> Double {
      let found = try marks(Signal(sound, sampleRateHz: 48_000), settings)
      let voiced = found.filter { $0.isVoiced }.reduce(0) { $0 + $1.spacingSamples }
      return voiced / Double(sound.count)
    }
    let voice = TestVoice { _ in 180 }.signal().samples
    let (hissBefore, voiceBefore) = (try voicedShare(hiss), try voicedShare(voice))
    settings.proofMs = 6
    #expect(try voicedShare(hiss) < 0.5 * hissBefore)
    #expect(try voicedShare(voice) > voiceBefore - 0.010 * 48_000 / Double(voice.count))
  }

  @Test func marksKeepTheirDistanceAndOrder() throws {
    let noise = Signal.noise(count: 24_000, seed: 4).samples
    let sung = TestVoice { 150 * exp2(2 * $0) }.signal().samples
    let found = try marks(Signal(noise + sung + noise + sung, sampleRateHz: 48_000))
    for (a, b) in zip(found, found.dropFirst()) {
      let spacing = b.timeSamples - a.timeSamples
      #expect(spacing >= 40 - 1e-6)
      // The maximum is the longest period plus the unvoiced distance.
      #expect(spacing < 800 + 240 + 1)
      #expect(abs(spacing - b.spacingSamples) < 1e-6)
    }
  }

  @Test func silenceHasRegularMarks() throws {
    let silence = Signal([Float](repeating: 0, count: 24_000), sampleRateHz: 48_000)
    let found = try marks(silence)
    #expect(found.count >= 96 && found.count <= 100)
    #expect(found.allSatisfy { !$0.isVoiced && abs($0.spacingSamples - 240) < 1e-6 })
  }

  /// A mark waits for the stated look-ahead and the maximum change of a period; the first of a
  /// voice for one more period. Filters and the edge of the measurement add less than 1 ms.
  @Test(arguments: [0.0, 1, 2])
  func marksAreNoLaterThanStated(lookAheadPeriods: Double) throws {
    var settings = EpochTracker.Settings()
    settings.lookAheadPeriods = lookAheadPeriods
    var tracker = try EpochTracker(settings, sampleRateHz: 48_000)
    let samples = TestVoice { _ in 200 }.signal().samples
    for (n, sample) in samples.enumerated() {
      let given = tracker.epochs(in: Signal([sample], sampleRateHz: 48_000), blockSize: 1)
      for mark in given where mark.isVoiced && n > 9_600 {
        let late = Double(n) - mark.timeSamples
        let latest = (lookAheadPeriods + settings.widestChange + 0.05) * 240 + 48
        #expect(late <= latest && late >= lookAheadPeriods * 240 - 24)
      }
    }
  }

  @Test(arguments: [1, 7, 64, 48_000])
  func blocksDontChangeTheMarks(blockSize: Int) throws {
    let signal = TestVoice { 150 * exp2($0) }.signal()
    #expect(try marks(signal, blockSize: blockSize) == marks(signal))
  }

  @Test func resetEqualsFresh() throws {
    let signal = TestVoice { 150 * exp2($0) }.signal()
    var tracker = try EpochTracker(sampleRateHz: 48_000)
    let fresh = tracker.epochs(in: signal, blockSize: 128)
    tracker.reset()
    #expect(tracker.epochs(in: signal, blockSize: 128) == fresh)
  }

  @Test func processNeitherAllocatesNorLocks() throws {
    let samples = TestVoice { 150 * exp2($0) }.signal().samples
    var sum = 0.0
    let fresh = { try EpochTracker(sampleRateHz: 48_000) }
    let calls = try allocatorCalls(on: fresh) { tracker in
      for start in stride(from: 0, to: samples.count, by: 128) {
        tracker.process(samples.span.extracting(start..<min(start + 128, samples.count)))
        while let mark = tracker.next() { sum += mark.timeSamples }
      }
    }
    #expect(calls == 0)
    #expect(sum > 0)
  }

  @Test(arguments: [8_000.0, 22_050, 192_000])
  func anySampleRateWorks(rateHz: Double) throws {
    var voice = TestVoice { _ in 150 }
    voice.sampleRateHz = rateHz
    voice.seconds = 0.5
    let found = try marks(voice.signal()).filter { $0.isVoiced && $0.timeSamples > 0.15 * rateHz }
    #expect(found.count > 40)
    for mark in found { #expect(abs(mark.spacingSamples / rateHz * 150 - 1) < 0.005) }
  }

  @Test(arguments: [Float.nan, .infinity, .greatestFiniteMagnitude])
  func badSamplesHaveNoLastingEffect(bad: Float) throws {
    var samples = TestVoice { _ in 220 }.signal().samples
    samples[20_000] = bad
    let found = try marks(Signal(samples, sampleRateHz: 48_000))
    #expect(found.allSatisfy { $0.timeSamples.isFinite && $0.spacingSamples.isFinite })
    #expect(found.contains { $0.isVoiced && $0.timeSamples > 30_000 })
  }
}

/// The reference is the closure of the singer's vocal folds, jitter included.
func expectSpacingFollowsJitter(_ marks: (Signal) throws -> [Epoch]) throws {
  var voice = Voice.folkTenor
  voice.phonation.jitterPercent = 1
  var phrase = Phrase(voice: voice)
  phrase.sing("D3", beats: 4, "a")
  let sung = try phrase.performance(seed: 3).render()
  let found = try marks(sung.signal).filter { $0.isVoiced }
  let closures = closures(sung.truth)
  var (ours, truths): ([Double], [Double]) = ([], [])
  for (a, b) in zip(found, found.dropFirst()) where 36_000..<110_000 ~= a.timeSamples {
    // The closure of a mark is the nearest, up to a constant, which spacings don't need.
    let at = closures.indices.min {
      abs(closures[$0] - a.timeSamples) < abs(closures[$1] - a.timeSamples)
    }!
    guard at + 1 < closures.count else { continue }
    ours.append(b.timeSamples - a.timeSamples)
    truths.append(closures[at + 1] - closures[at])
  }
  #expect(ours.count > 150)
  // Periods vary by 1 %; noise at -24 dB colours each.
  #expect(try #require(Statistics.pearson(ours, truths)) > 0.6)
  let (all, known) = (Statistics.mean(ours)!, Statistics.mean(truths)!)
  #expect(abs(all - known) < 0.002 * known)
}

/// The closures of the singer's vocal folds, at whole numbers of the glottal phase.
private func closures(_ truth: Truth) -> [Double] {
  var result: [Double] = []
  for i in 1..<truth.phaseCycles.count where truth.f0Hz[i] > 0 {
    let (a, b) = (truth.phaseCycles[i - 1], truth.phaseCycles[i])
    guard b.rounded(.down) > a.rounded(.down), b > a else { continue }
    result.append(Double(i - 1) + (b.rounded(.down) - a) / (b - a))
  }
  return result
}
