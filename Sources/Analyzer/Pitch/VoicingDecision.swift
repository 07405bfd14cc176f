import Foundation

/// The probability of a voice in each frame, from the evidence of the frame and of its neighbours.
///
/// A small network converts the evidence of a frame to log odds. A Markov chain of two states, voiced
/// and unvoiced, is solved forwards and backwards. A final linear map calibrates the odds, so
/// that a probability is right as often as it says (docs/reference/analyzer.md).
///
/// - Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, for the chain;
///   Platt, "Probabilistic outputs for support vector machines", 1999, for the linear map. Weights and
///   constants are fitted by scripts/train-pitch.
enum VoicingDecision {
  private static let network = SmallNetwork(PitchWeights.voicingSizes, PitchWeights.voicing)
  /// Weight of a frame's evidence per 10 ms; neighbouring frames are correlated.
  private static let weight = 1.0
  /// Probability of a change within 10 ms.
  private static let change = 0.03
  /// Linear map from the log odds of the chain to those of the result.
  private static let (slope, offset) = (0.400, -0.190)

  /// Returns the probability of a voice in each frame, 0 to 1, from the values of `VoicingEvidence`.
  static func probabilities(_ evidence: [[Float]], hopSeconds: Double) -> [Double] {
    probabilities(logOdds: evidence.map { Double(network.value(of: $0)) }, hopSeconds: hopSeconds)
  }

  /// Returns the same from the log odds of a voice that each frame alone gives.
  static func probabilities(logOdds: [Double], hopSeconds: Double) -> [Double] {
    let perHop = hopSeconds / 0.010
    let change = min(change * perHop, 0.5)
    let odds = logOdds.map { $0 * weight * perHop }
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

  /// The log odds that one frame contributes to the next, given the probability of a change.
  private static func passed(_ logOdds: Double, _ change: Double) -> Double {
    let voiced = 1 / (1 + exp(-logOdds))
    let next = voiced * (1 - change) + (1 - voiced) * change
    return log(next / (1 - next))
  }
}
