import Analyzer
import DSP
import Foundation
import Statistics

extension SoundPair {
  /// A place in time at which two sounds differ, and in what.
  public struct Instant: Codable, Equatable, Sendable {
    public enum Trait: String, Codable, Sendable { case pitch, level, timbre }

    /// On the time of the reference.
    public var atSeconds: Double
    public var trait: Trait
    /// Of the test less the reference; of timbre a distance.
    public var value: Double
    public var unit: String

    /// For people.
    public var words: String {
      let size = String(format: trait == .pitch ? "%.0f" : "%.1f", abs(value))
      return switch trait {
      case .pitch: "\(size) cents \(value > 0 ? "sharp" : "flat")"
      case .level: "\(size) dB \(value > 0 ? "louder" : "softer")"
      case .timbre: "the spectra are \(size) dB apart"
      }
    }

    /// Whether its words have another number than 0.
    fileprivate var isShown: Bool { abs(value) >= (trait == .pitch ? 0.5 : 0.05) }

    /// How much there is of it in units of what nobody misses: a quarter of a semitone, half or
    /// twice the loudness, the timbre of another vowel.
    fileprivate var weight: Double {
      switch trait {
      case .pitch: abs(value) / 25
      case .level: abs(value) / 10
      case .timbre: value / 10
      }
    }
  }

  /// Where the two differ most: in pitch from what it was to be, in level and in timbre, each over
  /// a tenth of a second, the overall difference in level apart.
  ///
  /// None where nothing differs that a number would show, or where one side is silent.
  ///
  /// - Parameters:
  ///   - most: of them, most different first.
  ///   - apart: seconds that they lie from each other at least.
  public func instants(most: Int = 5, apart: Double = 0.25) -> [Instant] {
    var chosen: [Instant] = []
    guard [aligned.reference, aligned.test].allSatisfy({ $0.samples.contains { $0 != 0 } })
    else { return [] }
    let all = (pitchInstants + spectralInstants).filter(\.isShown)
    for candidate in all.sorted(by: { $0.weight > $1.weight }) {
      guard chosen.count < most else { break }
      if !chosen.contains(where: { abs($0.atSeconds - candidate.atSeconds) < apart }) {
        chosen.append(candidate)
      }
    }
    return chosen
  }

  /// What one does not hear in half of the window is no difference: medians over it.
  private static let windowSeconds = 0.1

  private var pitchInstants: [Instant] {
    let found = sungTogether.map {
      ($0.timeSeconds, 1200 * log2($0.heardHz / $0.wantedHz))
    }
    return smoothed(found, hopSeconds: referenceTrack.hopSeconds).map {
      Instant(atSeconds: $0.0, trait: .pitch, value: $0.1, unit: "cents")
    }
  }

  private var spectralInstants: [Instant] {
    let (before, after) = (MelCepstrum(of: aligned.reference), MelCepstrum(of: aligned.test))
    let count = min(before.frames.count, after.frames.count)
    // Positive where the test's time is the reference's; negative delays cut the reference.
    let start = max(0, -delay.seconds) + MelCepstrum.firstCentreSeconds
    // Below this, both are silent.
    let floor = max(before.levelsDb.max() ?? 0, after.levelsDb.max() ?? 0) - 40
    var (levels, timbres): ([(Double, Double)], [(Double, Double)]) = ([], [])
    for frame in 0..<count {
      let (a, b) = (before.levelsDb[frame], after.levelsDb[frame])
      guard max(a, b) > floor else { continue }
      let time = start + Double(frame) * MelCepstrum.hopSeconds
      levels.append((time, max(b, floor) - max(a, floor)))
      guard min(a, b) > floor else { continue }
      timbres.append(
        (time, MelCepstralDistortion.decibels(after.frames[frame], before.frames[frame])))
    }
    let usual = Statistics.median(levels.map(\.1)) ?? 0
    let louder = smoothed(levels, hopSeconds: MelCepstrum.hopSeconds).map {
      Instant(atSeconds: $0.0, trait: .level, value: $0.1 - usual, unit: "dB")
    }
    return louder
      + smoothed(timbres, hopSeconds: MelCepstrum.hopSeconds).map {
        Instant(atSeconds: $0.0, trait: .timbre, value: $0.1, unit: "dB")
      }
  }

  /// Medians over a window, at every quarter of it.
  private func smoothed(
    _ values: [(Double, Double)], hopSeconds: Double
  ) -> [(Double, Double)] {
    let reach = max(1, Int(Self.windowSeconds / hopSeconds / 2))
    return stride(from: 0, to: values.count, by: max(1, reach / 2)).compactMap { middle in
      let near = values[max(0, middle - reach)...min(values.count - 1, middle + reach)]
        .filter { abs($0.0 - values[middle].0) <= Self.windowSeconds / 2 + 1e-9 }
      // The edge of a stretch says too little.
      guard near.count > reach else { return nil }
      return Statistics.median(near.map(\.1)).map { (values[middle].0, $0) }
    }
  }
}
