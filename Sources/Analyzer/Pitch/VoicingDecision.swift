import Foundation

/// The probability of a voice in each frame, from the evidence of the frame and of its neighbours.
///
/// A logistic model converts the evidence of a frame to odds. A Markov chain of two states, voiced
/// and unvoiced, is solved forwards and backwards. A final linear map calibrates the odds, so
/// that a higher probability is right as often as it says, or more (docs/reference/analyzer.md).
///
/// - Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, for the chain;
///   Platt, "Probabilistic outputs for support vector machines", 1999, for the linear map. All
///   weights were fitted on the half of the truth set made for choosing
///   (docs/reference/analyzer.md).
enum VoicingDecision {
  /// Weight of a frame's evidence per 10 ms; neighbouring frames are correlated.
  private static let weight = 0.35
  /// Probability of a change within 10 ms.
  private static let change = 0.047
  /// Linear map from the log odds of the chain to those of the result.
  private static let (slope, offset) = (0.768, 0.634)

  /// Returns the probability of a voice in each frame, 0 to 1.
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

  /// The log odds of a voice from one frame alone.
  ///
  /// In a frame well above the noise, the height of the periodicity distinguishes a voice from
  /// hiss. In a frame close to the noise (the last term), peaks are those of the noise.
  static func logOdds(_ e: VoicingEvidence) -> Double {
    let harmonicToNoise = -log(1 - min(e.refined, 0.999))
    let levelDb = e.levelDb * (1 - clarity(e))
    return -2.768 + 2.782 * e.correlation + 2.492 * e.nearCorrelation + 2.005 * e.persistence
      + 7.648 * e.refined - 0.287 * harmonicToNoise + 0.1875 * levelDb + 0.0817 * e.fallDb
      - 4.095 * e.shareAboveNoise - 20 * max(0, 0.2 - e.shareAboveNoise)
  }

  /// The reliability of a period, 0 to 1. Exact repetition that is not the echo of something louder
  /// is a voice, however soft relative to the rest of the sound.
  private static func clarity(_ e: VoicingEvidence) -> Double {
    let exactness = (min(e.correlation, e.refined) - 0.97) / 0.02
    let steadiness = 1 + e.fallDb / 10
    return min(max(exactness, 0), 1) * min(max(steadiness, 0), 1)
  }

  /// The log odds that one frame contributes to the next, given the probability of a change.
  private static func passed(_ logOdds: Double, _ change: Double) -> Double {
    let voiced = 1 / (1 + exp(-logOdds))
    let next = voiced * (1 - change) + (1 - voiced) * change
    return log(next / (1 - next))
  }
}
