import Analyzer
import DSP
import Foundation
import Statistics

extension SoundPair {
  /// An instant at which two sounds differ, and the trait in which they do.
  public struct Instant: Codable, Equatable, Sendable {
    public enum Trait: String, Codable, Sendable { case pitch, level, timbre }

    /// Time in the reference.
    public var atSeconds: Double
    public var trait: Trait
    /// Value of the test less that of the reference; for timbre a distance.
    public var value: Double
    public var unit: String

    /// The difference in words.
    public var words: String {
      let size = String(format: trait == .pitch ? "%.0f" : "%.1f", abs(value))
      return switch trait {
      case .pitch: "\(size) cents \(value > 0 ? "sharp" : "flat")"
      case .level: "\(size) dB \(value > 0 ? "louder" : "softer")"
      case .timbre: "spectra \(size) dB apart"
      }
    }

    /// True if its text shows a number other than 0.
    fileprivate var isShown: Bool { abs(value) >= (trait == .pitch ? 0.5 : 0.05) }

    /// Size in units of an obvious difference: a quarter of a semitone, 10 dB of level, the timbre
    /// of another vowel.
    fileprivate var weight: Double {
      switch trait {
      case .pitch: abs(value) / 25
      case .level: abs(value) / 10
      case .timbre: value / 10
      }
    }
  }

  /// Returns the instants at which the two differ most: in pitch from the target, in level and in
  /// timbre, each over a tenth of a second. The overall difference in level is removed.
  ///
  /// It is empty if no difference is large enough to show, one side is silent, or the delay is unknown.
  ///
  /// - Parameters:
  ///   - hasPitch: false for a sound of several voices, which has no one pitch.
  ///   - most: largest number of instants, the largest difference first.
  ///   - apart: smallest distance between instants, in seconds.
  public func instants(hasPitch: Bool = true, most: Int = 5, apart: Double = 0.25) -> [Instant] {
    var chosen: [Instant] = []
    guard let delaySeconds = delay.seconds,
      [aligned.reference, aligned.test].allSatisfy({ $0.samples.contains { $0 != 0 } })
    else { return [] }
    let all = ((hasPitch ? pitchInstants : []) + spectralInstants(delaySeconds)).filter(\.isShown)
    for candidate in all.sorted(by: { $0.weight > $1.weight }) {
      guard chosen.count < most else { break }
      if !chosen.contains(where: { abs($0.atSeconds - candidate.atSeconds) < apart }) {
        chosen.append(candidate)
      }
    }
    return chosen
  }

  /// Window of the medians; a difference shorter than half of it is ignored.
  private static let windowSeconds = 0.1

  private var pitchInstants: [Instant] {
    let found = sungTogether.map {
      ($0.timeSeconds, 1200 * log2($0.measuredHz / $0.wantedHz))
    }
    return smoothed(found, hopSeconds: referenceTrack.hopSeconds).map {
      Instant(atSeconds: $0.0, trait: .pitch, value: $0.1, unit: "cents")
    }
  }

  /// Range below the loudest frame in which levels are compared.
  private static let rangeDb = 40.0

  private func spectralInstants(_ delaySeconds: Double) -> [Instant] {
    let (before, after) = (MelCepstrum(of: aligned.reference), MelCepstrum(of: aligned.test))
    let count = min(before.frames.count, after.frames.count)
    // The start is a time of the reference, which a negative delay cuts.
    let start = max(0, -delaySeconds) + MelCepstrum.firstCentreSeconds
    let loud = (before.levelsDb.max() ?? 0) - Self.rangeDb
    let gainDb =
      Statistics.median(
        (0..<count).filter { before.levelsDb[$0] > loud }
          .map { after.levelsDb[$0] - before.levelsDb[$0] }) ?? 0
    // Both are silent below this level.
    let floor = max(before.levelsDb.max() ?? 0, (after.levelsDb.max() ?? 0) - gainDb) - Self.rangeDb
    var (levels, timbres): ([(Double, Double)], [(Double, Double)]) = ([], [])
    for frame in 0..<count {
      let (a, b) = (before.levelsDb[frame], after.levelsDb[frame] - gainDb)
      guard max(a, b) > floor else { continue }
      let time = start + Double(frame) * MelCepstrum.hopSeconds
      levels.append((time, max(b, floor) - max(a, floor)))
      guard min(a, b) > floor else { continue }
      timbres.append(
        (time, MelCepstralDistortion.decibels(after.frames[frame], before.frames[frame])))
    }
    let louder = smoothed(levels, hopSeconds: MelCepstrum.hopSeconds).map {
      Instant(atSeconds: $0.0, trait: .level, value: $0.1, unit: "dB")
    }
    return louder
      + smoothed(timbres, hopSeconds: MelCepstrum.hopSeconds).map {
        Instant(atSeconds: $0.0, trait: .timbre, value: $0.1, unit: "dB")
      }
  }

  /// Returns medians over a window, at every quarter of it.
  private func smoothed(_ values: [(Double, Double)], hopSeconds: Double) -> [(Double, Double)] {
    let reach = max(1, Int(Self.windowSeconds / hopSeconds / 2))
    return stride(from: 0, to: values.count, by: max(1, reach / 2)).compactMap { middle in
      let near = values[max(0, middle - reach)...min(values.count - 1, middle + reach)]
        .filter { abs($0.0 - values[middle].0) <= Self.windowSeconds / 2 + 1e-9 }
      // The edge of a stretch has too few values.
      guard near.count > reach else { return nil }
      return Statistics.median(near.map(\.1)).map { (values[middle].0, $0) }
    }
  }
}
