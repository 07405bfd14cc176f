import DSP
import Foundation

/// The probability of a voice in each frame, from the evidence of the frame and of its neighbours.
///
/// Two models convert the evidence of a frame to log odds, which are added. A Markov chain of two states,
/// voiced and unvoiced, is solved forwards and backwards. A final linear map calibrates the odds, so
/// that a probability is right as often as it says (docs/reference/analyzer.md).
///
/// - Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, for the chain;
///   Platt, "Probabilistic outputs for support vector machines", 1999, for the linear map.
///   scripts/train-pitch fits the network and the map.
enum VoicingDecision {
  private static let network = SmallNetwork(.voicing)
  private static let noisyNetwork = SmallNetwork(.noisyVoicing)
  /// Weight of a frame's evidence per 10 ms; neighbouring frames are correlated. ± 20 % moves the accuracy
  /// by 0.001 (docs/notes/pitch.md).
  private static let weight = 0.35
  /// Probability of a change within 10 ms.
  private static let change = 0.047
  /// Greatest shift of weight to the network, at twice the reverberation time where it begins, and what it
  /// takes from the log odds, because tails fill the pauses of a room. Chosen on recordings of people in other
  /// rooms than those of docs/notes/pitch.md. ± 20 % of any moves the accuracy in rooms by at most 0.002, that
  /// of dry sounds by less than 0.001.
  private static let (maxShift, roomSeconds, tailLogOdds) = (0.8, 0.3, 1.5)
  /// Linear map from the log odds of the chain to those of the result.
  private static let (slope, offset) = (0.468, 0.364)

  /// A voice that the network hears for `breathReachSeconds` to either side and the logistic model does not is
  /// breathy: it repeats badly. The mean of their difference, each within `maxBreathOdds`, shifts the weight to the
  /// network from `breathFrom` to `breathTo`. At the end of a voice they differ for 30 ms only. Twice the reach moves
  /// the accuracy of no kind of sound by more than 0.003.
  private static let (breathReachSeconds, maxBreathOdds, breathFrom, breathTo) = (
    0.2, 4.0, 1.0, 4.0
  )
  /// Levels, relative to the loud parts, from which on a frame begins to count in that mean, and counts whole.
  private static let (silentDb, soundingDb) = (-50.0, -30.0)

  /// Returns the probability of a voice in each frame, 0 to 1.
  static func probabilities(_ evidence: [VoicingEvidence], hopSeconds: Double) -> [Double] {
    let learned = evidence.map {
      network.value(of: $0.values, noisyNetwork, weight: $0.harmonicsWeight)
    }
    let basic = evidence.map(basicLogOdds)
    func limited(_ odds: Double) -> Double { min(max(odds, -maxBreathOdds), maxBreathOdds) }
    // Soft frames count less: they hold noise, not the voice.
    let weights = evidence.map { min(max(($0.levelDb - silentDb) / (soundingDb - silentDb), 0), 1) }
    let weightSums = weights.runningSums
    let sums = evidence.indices.map { weights[$0] * (limited(learned[$0]) - limited(basic[$0])) }
      .runningSums
    let reach = Int((breathReachSeconds / hopSeconds).rounded())
    return probabilities(
      logOdds: evidence.indices.map { i in
        let (first, last) = (max(0, i - reach), min(evidence.count, i + reach + 1))
        let weight = weightSums[last] - weightSums[first]
        let difference = weight > 0 ? (sums[last] - sums[first]) / weight : 0
        let breath = min(max((difference - breathFrom) / (breathTo - breathFrom), 0), 1)
        let room = roomShift(evidence[i].reverberationSeconds)
        let shift = max(breath, room)
        return (1 + shift) * learned[i] + (1 - shift) * basic[i] - room * tailLogOdds
      },
      hopSeconds: hopSeconds)
  }

  /// Weight that the network takes over from the logistic model, which knows nothing of rooms.
  private static func roomShift(_ reverberationSeconds: Double) -> Double {
    maxShift * min(max(log2(reverberationSeconds / roomSeconds), 0), 1)
  }

  /// The log odds of a voice from seven values of a frame, by a logistic model.
  ///
  /// The network alone says voice up to 30 ms beyond the end of voices in recordings of people; this
  /// model alone says it in rooms and headphone bleed. In a frame well above the noise, the height
  /// of the periodicity distinguishes a voice from hiss. In a frame close to the noise (the last term), peaks
  /// are those of the noise. The weights were fitted on the half of scripts/peers/truth-set made for choosing.
  @_noLocks static func basicLogOdds(
    correlation: Double, nearCorrelation: Double, persistence: Double, refined: Double,
    levelDb: Double, fallDb: Double, shareAboveNoise: Double
  ) -> Double {
    let harmonicToNoise = -0.693_147_2 * RealtimeMath.log2(1 - min(refined, 0.999))
    // The reliability of a period, 0 to 1. Exact repetition that is not the echo of something louder
    // is a voice, however soft relative to the rest of the sound.
    let exactness = min(max((min(correlation, refined) - 0.97) / 0.02, 0), 1)
    let clarity = exactness * min(max(1 + fallDb / 10, 0), 1)
    let level = min(max(levelDb, -40), 0) * (1 - clarity)
    return -2.768 + 2.782 * correlation + 2.492 * nearCorrelation + 2.005 * persistence
      + 7.648 * refined - 0.287 * harmonicToNoise + 0.1875 * level + 0.0817 * max(fallDb, -30)
      - 4.095 * shareAboveNoise - 20 * max(0, 0.2 - shareAboveNoise)
  }

  static func basicLogOdds(_ e: VoicingEvidence) -> Double {
    basicLogOdds(
      correlation: e.correlation, nearCorrelation: e.nearCorrelation, persistence: e.persistence,
      refined: e.refined, levelDb: e.levelDb, fallDb: e.fallDb, shareAboveNoise: e.shareAboveNoise)
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
