/// A rule by which two chords count as equal.
///
/// - Source: Pauwels and Peeters, "Evaluating automatically estimated chord sequences", ICASSP
///   2013; Raffel et al., "mir_eval", ISMIR 2014.
public enum ChordRule: String, CaseIterable, Codable, Sendable {
  /// Equal roots.
  case root
  /// Equal roots, and both or neither with a minor third.
  case thirds
  /// Equal roots and tones up to the fifth (up to a semitone below the minor sixth).
  case triads
  /// Equal roots and tones up to the seventh.
  case tetrads
  /// `triads`, for references that are major or minor triads, with or without a seventh, or no
  /// chord.
  case majmin
  /// `tetrads`, for references that are major, minor, maj7, 7, min7 or no chord.
  case sevenths
  /// Three or more common tones, for references with at least three; or both without a root.
  case mirex
  /// `thirds` with equal basses; so are the rules below for the others.
  case thirdsInversions = "thirds_inv"
  case triadsInversions = "triads_inv"
  case tetradsInversions = "tetrads_inv"
  case majminInversions = "majmin_inv"
  case seventhsInversions = "sevenths_inv"

  /// Compares two chords; `nil` if the rule doesn't apply to the reference.
  public func agree(_ reference: ChordLabel, _ estimate: ChordLabel) -> Bool? {
    guard reference != .unknown else { return nil }
    let sameRoot = reference.root == estimate.root
    let sameBass = reference.bassInterval == estimate.bassInterval
    let different = reference.intervals ^ estimate.intervals
    switch self {
    case .root: return sameRoot
    case .thirds: return sameRoot && different & Self.minorThird == 0
    case .triads: return sameRoot && different & Self.upToFifth == 0
    case .tetrads: return sameRoot && different == 0
    case .majmin:
      let triad = reference.intervals & Self.upToFifth
      guard triad == Self.major || triad == Self.minor || reference == .noChord else { return nil }
      return ChordRule.triads.agree(reference, estimate)
    case .sevenths:
      guard Self.seventhChords.contains(reference.intervals) else { return nil }
      return ChordRule.tetrads.agree(reference, estimate)
    case .mirex:
      if reference.root == nil { return estimate.root == nil }
      guard reference.intervals.nonzeroBitCount >= 3 else { return nil }
      return (reference.pitchClasses & estimate.pitchClasses).nonzeroBitCount >= 3
    case .thirdsInversions:
      return ChordRule.thirds.agree(reference, estimate).map { $0 && sameBass }
    case .triadsInversions:
      return ChordRule.triads.agree(reference, estimate).map { $0 && sameBass }
    case .tetradsInversions:
      return ChordRule.tetrads.agree(reference, estimate).map { $0 && sameBass }
    case .majminInversions:
      return ChordRule.majmin.agree(reference, estimate).map { $0 && sameBass }
    case .seventhsInversions:
      return ChordRule.sevenths.agree(reference, estimate).map { $0 && sameBass }
    }
  }

  private static let minorThird: UInt16 = 1 << 3
  private static let upToFifth: UInt16 = 0xFF
  private static let major = PitchClasses.set([0, 4, 7])
  private static let minor = PitchClasses.set([0, 3, 7])
  private static let seventhChords: Set<UInt16> = [
    major, minor, PitchClasses.set([0, 4, 7, 11]), PitchClasses.set([0, 4, 7, 10]),
    PitchClasses.set([0, 3, 7, 10]), 0,
  ]
}
