import Foundation

/// How well a melody was tracked, in the terms of MIREX, exactly as mir_eval 0.8 computes them.
///
/// 50 cents is wide: it tells a right note from a wrong one, not a tuned voice from an untuned.
///
/// - Cost: linear in the number of frames. Allocates.
/// - Source: Salamon et al., "Melody extraction from polyphonic music signals", IEEE SPM 31(2),
///   2014; Raffel et al., "mir_eval", ISMIR 2014.
public struct MelodyScore: Equatable, Sendable {
  /// RPA: the share of voiced reference frames whose pitch, guesses for unvoiced frames included,
  /// lies within the tolerance; `nil` where the reference is never voiced (mir_eval says 0).
  public var rawPitchAccuracy: Double?
  /// RCA: the same with octave errors forgiven.
  public var rawChromaAccuracy: Double?
  /// VR: the share of voiced reference frames found voiced; `nil` as above (mir_eval says 1).
  public var voicingRecall: Double?
  /// VFA: the share of unvoiced reference frames found voiced; `nil` where the reference is always
  /// voiced (mir_eval says 0).
  public var voicingFalseAlarm: Double?
  /// OA: the share of all frames with the right voicing and, where voiced, the right pitch.
  public var overallAccuracy: Double

  /// - Parameter toleranceCents: a pitch this far off is wrong, one closer is right.
  public init(of estimate: Melody, against reference: Melody, toleranceCents: Double = 50) {
    let truth = reference.startingAtZero()
    let found = estimate.startingAtZero().sampled(atSeconds: truth.seconds)
    var (voiced, near, nearChroma, recalled) = (0, 0, 0, 0)
    var (falseAlarms, right) = (0, 0)
    for i in truth.seconds.indices {
      let (truthCents, foundCents) = (truth.cents[i], found.cents[i])
      // 0 cents, that is 10 Hz, stands for no pitch at all.
      let comparable = truthCents != 0 && foundCents != 0
      let distance = abs(truthCents - foundCents)
      let octaves = 1200 * (distance / 1200 + 0.5).rounded(.down)
      let isNear = comparable && distance < toleranceCents
      guard truth.isVoiced[i] else {
        falseAlarms += found.isVoiced[i] ? 1 : 0
        right += found.isVoiced[i] ? 0 : 1
        continue
      }
      voiced += 1
      recalled += found.isVoiced[i] ? 1 : 0
      near += isNear ? 1 : 0
      nearChroma += comparable && abs(distance - octaves) < toleranceCents ? 1 : 0
      right += isNear && found.isVoiced[i] ? 1 : 0
    }
    let count = truth.seconds.count
    rawPitchAccuracy = Self.share(near, of: voiced)
    rawChromaAccuracy = Self.share(nearChroma, of: voiced)
    voicingRecall = Self.share(recalled, of: voiced)
    voicingFalseAlarm = Self.share(falseAlarms, of: count - voiced)
    overallAccuracy = Double(right) / Double(count)
  }

  private static func share(_ part: Int, of whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}
