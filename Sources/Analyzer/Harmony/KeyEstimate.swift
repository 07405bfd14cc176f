import Music

/// The key of a melody: the one of 24 whose profile correlates best with the durations of the pitch
/// classes.
///
/// - Domain: melodies in one key, of about ten notes or more. Relative and neighbouring keys share
///   most of their notes; `margin` is the lead of the best.
/// - Source: Krumhansl, "Cognitive Foundations of Musical Pitch", 1990, chapter 4.
public struct KeyEstimate: Codable, Equatable, Sendable {
  /// Profiles of the weight that a key gives each pitch class.
  public enum Profiles: String, Codable, CaseIterable, Sendable {
    /// Ratings by listeners: Krumhansl and Kessler, Psychological Review 89(4), 1982.
    case krumhanslKessler
    /// Values set by hand: Temperley, "What's key for key?", Music Perception 17(1), 1999.
    case temperley
  }

  /// One of the 24 keys with its fit.
  public struct Candidate: Codable, Equatable, Sendable {
    /// Pitch class of the tonic, in semitones above C, 0 to 11.
    public var tonic: Int
    public var isMinor: Bool
    /// Correlation with the key's profile, -1 to 1.
    public var correlation: Double

    /// The name, such as `C major` or `F# minor`, with sharps only.
    public var name: String { "\(PitchClass(tonic)) \(isMinor ? "minor" : "major")" }
  }

  /// All 24 keys, the best first.
  public let candidates: [Candidate]
  public let tuningCents: Double?

  public var best: Candidate { candidates[0] }
  /// Lead of the best correlation over the next, 0 to 2: a confidence.
  public var margin: Double { candidates[0].correlation - candidates[1].correlation }

  /// Finds the key; `nil` if nothing sounds, or all pitch classes last equally long.
  public init?(of profile: PitchClassProfile, by profiles: Profiles = .temperley) {
    let found = [false, true].flatMap { isMinor in
      (0..<12).compactMap { tonic -> Candidate? in
        let weights = profiles.weights(isMinor: isMinor)
        let expected = (0..<12).map { weights[PitchClass($0 - tonic).semitones] }
        return Self.correlation(profile.seconds, expected).map {
          Candidate(tonic: tonic, isMinor: isMinor, correlation: $0)
        }
      }
    }
    guard found.count == 24 else { return nil }
    candidates = found.sorted { $0.correlation > $1.correlation }
    tuningCents = profile.tuningCents
  }

  /// Pearson's correlation; `nil` if one side is constant.
  private static func correlation(_ a: [Double], _ b: [Double]) -> Double? {
    let (meanA, meanB) = (a.reduce(0, +) / 12, b.reduce(0, +) / 12)
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += (x - meanA) * (y - meanB)
      aa += (x - meanA) * (x - meanA)
      bb += (y - meanB) * (y - meanB)
    }
    let scale = (aa * bb).squareRoot()
    return scale > 1e-12 ? ab / scale : nil
  }
}

extension KeyEstimate.Profiles {
  /// The weights of the pitch classes, from the tonic up.
  fileprivate func weights(isMinor: Bool) -> [Double] {
    switch (self, isMinor) {
    case (.krumhanslKessler, false):
      [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
    case (.krumhanslKessler, true):
      [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]
    case (.temperley, false):
      [5.0, 2.0, 3.5, 2.0, 4.5, 4.0, 2.0, 4.5, 2.0, 3.5, 1.5, 4.0]
    case (.temperley, true):
      [5.0, 2.0, 3.5, 4.5, 2.0, 4.0, 2.0, 4.5, 3.5, 2.0, 1.5, 4.0]
    }
  }
}
