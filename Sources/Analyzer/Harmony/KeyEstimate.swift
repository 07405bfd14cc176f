import Music
import Statistics

/// The key of a melody: the one of 24 whose profile correlates best with the durations of the pitch
/// classes.
///
/// - Domain: melodies in one key, of about ten notes or more. Relative and neighbouring keys share
///   most of their notes; `margin` is the lead of the best.
/// - Source: Krumhansl, "Cognitive Foundations of Musical Pitch", 1990, chapter 4.
public struct KeyEstimate: Codable, Equatable, Sendable {
  /// One of the 24 keys with its fit.
  public struct Candidate: Codable, Equatable, Sendable {
    /// Pitch class of the tonic, in semitones above C, 0 to 11.
    public var tonic: Int
    public var isMinor: Bool
    /// Correlation with the key's profile, -1 to 1.
    public var correlation: Double

    /// The name with the fewest signs: `Ab major`, `G# minor`.
    public var name: String {
      let triad = ChordFormula(spelled: isMinor ? "min" : "maj")!
      let spelled = SpelledPitch(rootOf: triad, at: PitchClass(tonic))
      return "\(spelled) \(isMinor ? "minor" : "major")"
    }
  }

  /// Weights of the pitch classes from the tonic up.
  ///
  /// - Source: set by hand, Temperley, "What's key for key?", Music Perception 17(1), 1999.
  private static let majorWeights = [5.0, 2, 3.5, 2, 4.5, 4, 2, 4.5, 2, 3.5, 1.5, 4]
  private static let minorWeights = [5.0, 2, 3.5, 4.5, 2, 4, 2, 4.5, 3.5, 2, 1.5, 4]

  /// All 24 keys, the best first.
  public let candidates: [Candidate]
  public let tuningCents: Double?

  public var best: Candidate { candidates[0] }
  /// Lead of the best correlation over the next, 0 to 2: a confidence.
  public var margin: Double { candidates[0].correlation - candidates[1].correlation }

  /// Finds the key; `nil` if nothing sounds, or all pitch classes last equally long.
  public init?(of profile: PitchClassProfile) {
    let found = [false, true].flatMap { isMinor in
      (0..<12).compactMap { tonic -> Candidate? in
        let weights = isMinor ? Self.minorWeights : Self.majorWeights
        let expected = (0..<12).map { weights[($0 - tonic + 12) % 12] }
        return Statistics.pearson(profile.seconds, expected).map {
          Candidate(tonic: tonic, isMinor: isMinor, correlation: $0)
        }
      }
    }
    guard found.count == 24 else { return nil }
    candidates = found.sorted { $0.correlation > $1.correlation }
    tuningCents = profile.tuningCents
  }
}
