import Foundation

/// The accuracy of estimated notes by mir_eval's rules for transcription.
///
/// A reference note and an estimated one agree if onset, pitch and offset are within tolerances.
/// Each note counts once, in the pairing with the most pairs. mir_eval warns that the programs of
/// MIREX differ from it by 1 to 2 %.
///
/// - Cost: the product of the two numbers of notes. Allocates.
/// - Source: Raffel et al., "mir_eval", ISMIR 2014; Molina et al., "Evaluation framework for
///   automatic singing transcription", ISMIR 2014.
public struct NoteScore: Equatable, Sendable {
  /// Tolerances of a matching note.
  public struct Settings: Codable, Equatable, Sendable {
    public var onsetMs = 50.0
    /// Pitch tolerance; `nil` compares onsets and offsets alone.
    public var pitchCents: Double? = 50
    /// Offset tolerance relative to the reference note's length, at least `leastOffsetMs`; `nil`
    /// ignores offsets.
    public var offsetShare: Double? = 0.2
    public var leastOffsetMs = 50.0

    public init() {}
  }

  /// Number of pairs of notes that agree.
  public var matched: Int
  public var referenceCount: Int
  public var estimateCount: Int

  /// Share of estimated notes that are right; `nil` if there are none (mir_eval returns 0, here and
  /// below).
  public var precision: Double? {
    estimateCount == 0 ? nil : Double(matched) / Double(estimateCount)
  }
  /// Share of reference notes that were found; `nil` if there are none.
  public var recall: Double? {
    referenceCount == 0 ? nil : Double(matched) / Double(referenceCount)
  }
  /// Harmonic mean of precision and recall; `nil` if both sides are empty.
  public var f: Double? {
    let count = referenceCount + estimateCount
    return count == 0 ? nil : 2 * Double(matched) / Double(count)
  }

  public init(of estimate: [Note], against reference: [Note], _ settings: Settings = Settings()) {
    referenceCount = reference.count
    estimateCount = estimate.count
    let candidates = reference.map { note in
      estimate.indices.filter { settings.agree(note, estimate[$0]) }
    }
    matched = BipartiteMatching.size(candidates, rightCount: estimate.count)
  }
}

extension NoteScore.Settings {
  fileprivate func agree(_ reference: Note, _ estimate: Note) -> Bool {
    let lateSeconds = distance(reference.onsetSeconds, estimate.onsetSeconds)
    guard lateSeconds <= onsetMs / 1000 else { return false }
    if let pitchCents {
      let away = abs(1200 * (log2(reference.pitchHz) - log2(estimate.pitchHz)))
      guard away <= pitchCents else { return false }
    }
    guard let offsetShare else { return true }
    let allowed = max(offsetShare * reference.durationSeconds, leastOffsetMs / 1000)
    return distance(reference.offsetSeconds, estimate.offsetSeconds) <= allowed
  }

  /// The distance rounded to 0.1 ms, so that 50 ms in decimals don't exceed 50 ms.
  private func distance(_ a: Double, _ b: Double) -> Double {
    (abs(a - b) * 1e4).rounded(.toNearestOrEven) / 1e4
  }
}
