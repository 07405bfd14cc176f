import Foundation

/// How likely each frame holds a voice: the evidence of the frame itself, joined with that of its
/// neighbours, for voices last.
///
/// A logistic model turns what a frame shows into odds; a chain of two states, voice and none, is
/// solved forwards and backwards; a last line makes of the outcome's odds a frequency: of the
/// frames said to hold a voice with 0.7, seven in ten do.
///
/// - Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, for the chain;
///   Platt, "Probabilistic outputs for support vector machines", 1999, for the line. All weights
///   were fitted on the half of the truth set made for choosing (docs/analyzer.md).
enum VoicingDecision {
  /// Neighbouring frames say much the same: evidence counts this much every 10 ms.
  private static let weight = 0.35
  /// The chance of a change within 10 ms.
  private static let change = 0.047
  /// From the odds of the chain to those of the outcome, both as logarithms.
  private static let (slope, offset) = (0.768, 0.634)

  /// The probability of a voice in each frame, 0 to 1.
  static func probabilities(_ evidence: [VoicingEvidence], hopSeconds: Double) -> [Double] {
    let perHop = hopSeconds / 0.010
    let change = min(change * perHop, 0.5)
    let odds = evidence.map { logOdds($0) * weight * perHop }
    var before = odds  // of a frame and all earlier ones
    for i in before.indices.dropFirst() { before[i] += passed(before[i - 1], change) }
    var later = 0.0  // of all later frames
    var result = odds
    for i in odds.indices.reversed() {
      result[i] = 1 / (1 + exp(-(slope * (before[i] + later) + offset)))
      later = passed(odds[i] + later, change)
    }
    return result
  }

  /// The logarithm of the odds for a voice by one frame alone.
  ///
  /// Where much stands out of the noise, periodicity is told from hiss by its height alone; where
  /// hardly anything does (the last term), peaks are those of the noise.
  static func logOdds(_ e: VoicingEvidence) -> Double {
    let harmonicToNoise = -log(1 - min(e.refined, 0.999))
    let levelDb = e.levelDb * (1 - clarity(e))
    return -2.768 + 2.782 * e.correlation + 2.492 * e.nearCorrelation + 2.005 * e.persistence
      + 7.648 * e.refined - 0.287 * harmonicToNoise + 0.1875 * levelDb + 0.0817 * e.fallDb
      - 4.095 * e.standing - 20 * max(0, 0.2 - e.standing)
  }

  /// How far a period speaks for itself, 0 to 1: what repeats so exactly and is no echo of something
  /// louder is a voice, however soft beside the rest of the sound.
  private static func clarity(_ e: VoicingEvidence) -> Double {
    let exactness = (min(e.correlation, e.refined) - 0.97) / 0.02
    let steadiness = 1 + e.fallDb / 10
    return min(max(exactness, 0), 1) * min(max(steadiness, 0), 1)
  }

  /// What odds are worth one frame on, given the chance of a change.
  private static func passed(_ logOdds: Double, _ change: Double) -> Double {
    let voiced = 1 / (1 + exp(-logOdds))
    let next = voiced * (1 - change) + (1 - voiced) * change
    return log(next / (1 - next))
  }
}
