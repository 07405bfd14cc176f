import Foundation

/// The accuracy of a tracked melody in the terms of MIREX, exactly as mir_eval 0.8 computes it.
///
/// The tolerance of 50 cents is wide: it separates right notes from wrong ones, not a tuned voice
/// from an untuned one.
///
/// - Cost: linear in the number of frames. Allocates.
/// - Source: Salamon et al., "Melody extraction from polyphonic music signals", IEEE SPM 31(2),
///   2014; Raffel et al., "mir_eval", ISMIR 2014.
public struct MelodyScore: Equatable, Sendable {
  /// RPA: share of voiced reference frames whose pitch, guesses for unvoiced frames included, is
  /// within the tolerance; `nil` if the reference is never voiced (mir_eval returns 0).
  public var rawPitchAccuracy: Double?
  /// RCA: the same, ignoring octave errors.
  public var rawChromaAccuracy: Double?
  /// VR: share of voiced reference frames estimated as voiced; `nil` as above (mir_eval returns 1).
  public var voicingRecall: Double?
  /// VFA: share of unvoiced reference frames estimated as voiced; `nil` if the reference is always
  /// voiced (mir_eval returns 0).
  public var voicingFalseAlarm: Double?
  /// OA: share of all frames with the right voicing and, if voiced, the right pitch.
  public var overallAccuracy: Double

  /// - Parameter toleranceCents: error from which a pitch is wrong.
  public init(of estimate: Melody, against reference: Melody, toleranceCents: Double = 50) {
    let truth = reference.startingAtZero()
    let found = estimate.startingAtZero().sampled(atSeconds: truth.seconds)
    var (voiced, near, nearChroma, recalled) = (0, 0, 0, 0)
    var (falseAlarms, right) = (0, 0)
    for i in truth.seconds.indices {
      let (truthCents, foundCents) = (truth.cents[i], found.cents[i])
      // 0 cents, that is 10 Hz, means no pitch.
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
