/// When two chords count as the same.
///
/// - Source: Pauwels and Peeters, "Evaluating automatically estimated chord sequences", ICASSP 2013;
///   Raffel et al., "mir_eval", ISMIR 2014.
public enum ChordRule: String, CaseIterable, Codable, Sendable {
  /// The same root.
  case root
  /// The same root, and both or neither with a minor third.
  case thirds
  /// The same root and tones up to the fifth (up to a semitone below the minor sixth).
  case triads
  /// The same root and tones up to the seventh.
  case tetrads
  /// As `triads`, where the reference is a major or minor triad, seventh or not, or no chord.
  case majmin
  /// As `tetrads`, where the reference is major, minor, maj7, 7, min7 or no chord.
  case sevenths
  /// At least three tones in common, where the reference has three; or both without a root.
  case mirex
  /// The same and the same bass.
  case thirdsInversions = "thirds_inv"
  case triadsInversions = "triads_inv"
  case tetradsInversions = "tetrads_inv"
  case majminInversions = "majmin_inv"
  case seventhsInversions = "sevenths_inv"

  /// `nil` where the rule says nothing of such a reference.
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
