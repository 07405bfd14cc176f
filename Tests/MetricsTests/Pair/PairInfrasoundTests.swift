import DSP
import Foundation
import Singer
import TestSupport
import Testing

@testable import Metrics

/// Infrasound, such as wind noise, does not change the figures.
@Suite struct PairInfrasoundTests {
  private static let clean: Signal = {
    let song = try! Songbook.performance(id: "onsets-creaky-baritone").render().signal
    let peak = song.samples.map { abs($0) }.max()!
    return Signal(song.samples.prefix(4 * 48_000).map { 0.2 / peak * $0 }, sampleRateHz: 48_000)
  }()

  /// A late and softer copy has figures of all kinds.
  private static let changed = clean.late(samples: 960, gain: 0.5)

  @Test(arguments: 0..<3) func figuresStayTheSame(disturbance: Int) throws {
    func disturbed(_ sound: Signal, seed: UInt64) -> Signal {
      disturbance == 0
        ? Rumble.constant(seed == 1 ? 0.2 : -0.1, addedTo: sound)
        : Rumble.added(to: sound, seed: 10 * UInt64(disturbance) + seed)
    }
    let plain = PairFinding.all(of: try SoundPair(Self.changed, against: Self.clean))
    let windy = PairFinding.all(
      of: try SoundPair(
        disturbed(Self.changed, seed: 1), against: disturbed(Self.clean, seed: 2)))
    // These figures use the samples with the rumble, or the ends, where it is curved.
    let apart = ["dc.offset", "clipping.share", "noise.floor", "clicks.count", "dropouts.count"]
    for (before, after) in zip(plain, windy) where !apart.contains(before.figure.id) {
      switch (before.measurement.outcome, after.measurement.outcome) {
      case (.value(let a), .value(let b)):
        // The ends are a fiftieth of the four seconds.
        #expect(
          abs(a - b) <= 0.02 * max(abs(a), 1), "\(before.figure.id): \(a), disturbed \(b)")
      case (.undefined, .undefined): break
      default: Issue.record("\(before.figure.id) is defined on one side only")
      }
    }
  }
}
