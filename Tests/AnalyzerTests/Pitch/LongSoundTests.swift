import AllocationProbe
import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Tests of sounds that are too long to be held in memory.
@Suite struct LongSoundTests {
  /// A repeating phrase of two seconds: a glide from 150 to 190 Hz over 1.2 s, then silence.
  private static func phrase(_ index: Int) -> Float {
    let seconds = Double(index % 16_000) / 8_000
    guard seconds < 1.2 else { return 0 }
    let turns = 150 * seconds + 40 / 1.2 * seconds * seconds / 2
    let fade = min(1, seconds / 0.02, (1.2 - seconds) / 0.02)
    return Float(fade * sines(levels, atTurns: turns))
  }

  private static let levels = sawtooth(6, first: 0.1)

  /// A phrase in a sound that is read in pieces has the same pitch as in a sound that is held
  /// whole.
  @Test func aLongSoundHasThePitchOfAShortOne() throws {
    let long = StretchedSound(seconds: 600, Self.phrase)
    let short = StretchedSound(seconds: 20, Self.phrase)
    var settings = PitchTracker.Settings()
    settings.hopMs = 10
    let tracker = try PitchTracker(settings)
    allocation_probe_start()
    let found = tracker.track(long)
    _ = allocation_probe_stop()
    // Nothing keeps the whole sound, which has 77 MB at the rate of the finest search.
    #expect(allocation_probe_counts().peak_bytes < 77_000_000)
    let expected = tracker.track(short)
    #expect(found.count == 60_001)
    // The last phrase before the end, and ones where the path is queried for settled choices. The loud
    // parts of thirty times as many phrases are not the same to the last digit, which decides the frames
    // at a voice's edge; those within 40 ms take part in the curve.
    for phrase in [8, 50, 150, 290] {
      for frame in 0..<200 {
        let (a, b) = (200 * phrase + frame, 1000 + frame)
        let voiced = expected.f0Hz[b - 4...b + 4].filter { $0 > 0 }.count
        guard voiced == 0 || voiced == 9 else { continue }
        #expect(
          abs(found.f0Hz[a] - expected.f0Hz[b]) <= 1e-6 * expected.f0Hz[b],
          "frame \(frame) of phrase \(phrase)")
      }
    }
    #expect(expected.f0Hz[1060] > 150)
    // The maximum read is a block with its margins.
    #expect(long.longestRead < 1 << 21 && long.longestRead < long.count / 4)
  }

  @Test func longSoundsAreSplitInUnvoicedGaps() throws {
    let sound = StretchedSound(seconds: 200, Self.phrase)
    var settings = PitchTracker.Settings()
    settings.hopMs = 20
    let other = StretchedSound(seconds: 200, Self.phrase)  // `sound` notes what is read of it
    let track = try PitchTracker(settings).track(other)
    let whole = Signal(other.samples(0..<other.count), sampleRateHz: other.sampleRateHz)
    var (frames, starts): (Int, [Int]) = (0, [])
    try sound.forEachStretch(of: track) { stretch in
      #expect(stretch.firstFrame + stretch.own.lowerBound == frames)
      frames += stretch.own.count
      starts.append(stretch.firstFrame)
      let first = Int((stretch.startSeconds * 8_000).rounded())
      #expect(stretch.signal.samples == Array(whole.samples[first..<first + stretch.signal.count]))
      // No cut lies within a voiced run.
      if stretch.own.upperBound < stretch.track.count {
        #expect(stretch.track.f0Hz[stretch.own.upperBound] == 0)
      }
    }
    #expect(frames == track.count && starts.count > 5)
    #expect(sound.longestRead <= 40 * 8_000)
  }

  /// A gap, a flat top and the highest sample, each across the border of two blocks.
  @Test func faultsAcrossBlocksAreFound() {
    let seam = 1 << 18
    let sound = StretchedSound(seconds: 40) { index in
      if (seam - 40..<seam + 40).contains(index) { return 0 }
      if (seam + 4_000..<seam + 4_010).contains(index) { return 0.9 }
      return Float(0.5 * sin(2 * .pi * 200 * (Double(index) + 0.5) / 8_000))
    }
    let defects = SignalDefects(of: sound)
    #expect(defects.dropouts.count == 1 && defects.clips.count == 1)
    #expect(abs((defects.dropouts.first?.durationMs ?? 0) - 10) < 0.01)
    let level = Level(of: sound)
    #expect(abs((level.samplePeakDbfs ?? 0) - 20 * log10(0.9)) < 0.001)
    // A sine of 0.5 with a gap of 10 ms in 40 s.
    #expect(abs((level.rmsDbfs ?? 0) + 9.03) < 0.01)
  }
}
