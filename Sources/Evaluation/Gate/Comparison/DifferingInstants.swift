import AudioFile
import Foundation
import Metrics
import Sweep

/// The instants at which two runs differ most, for cells whose sound both runs have stored.
public struct DifferingInstants: Codable, Equatable, Sendable {
  public var recording: String
  public var condition: String
  public var baselineFile: String
  public var candidateFile: String
  public var instants: [SoundPair.Instant]

  /// Returns the instants of the cells whose figures changed most. It is empty if nothing changed
  /// or the plan stored no sound (`listen`).
  ///
  /// - Parameter most: largest number of cells; each takes about a tenth of its duration.
  public static func all(
    of comparison: RunComparison, baseline: (ResultStore, [ComparedCell]),
    candidate: (ResultStore, [ComparedCell]), most: Int = 3
  ) -> [DifferingInstants] {
    let before = baseline.1.keyed(by: \.address)
    let byKey = candidate.1.keyed(by: \.key)
    var seen = Set<String>()
    var found: [DifferingInstants] = []
    let changed = comparison.differences.filter { $0.verdict != .withinNoise }
    let extremes = changed.compactMap(\.extreme).map(\.cell)
    let others = candidate.1.map(\.key)
    for key in extremes + (changed.isEmpty ? [] : others) where seen.insert(key).inserted {
      guard found.count < most else { break }
      guard let cell = byKey[key], let twin = before[cell.address],
        let old = baseline.0.soundFile(of: twin.key), let new = candidate.0.soundFile(of: key),
        let instants = Self.instants(of: new, against: old, voices: cell.voices), !instants.isEmpty
      else { continue }
      found.append(
        DifferingInstants(
          recording: cell.address.recording, condition: cell.address.condition,
          baselineFile: old.path, candidateFile: new.path, instants: instants))
    }
    return found
  }

  /// Returns where two outputs of one input differ most; `nil` if a file can't be read. Where the
  /// sounds tell no delay, they are compared as they are.
  ///
  /// - Parameter voices: number of voices in the outputs; several have no one pitch.
  static func instants(of new: URL, against old: URL, voices: Int) -> [SoundPair.Instant]? {
    guard let test = try? AudioFile(reading: new.path).mono,
      let reference = try? AudioFile(reading: old.path).mono,
      let pair = try? SoundPair(test, against: reference)
    else { return nil }
    let known =
      pair.delay.unknown == nil ? pair : try? SoundPair(test, against: reference, delayMs: 0)
    return known?.instants(hasPitch: voices < 2)
  }
}
