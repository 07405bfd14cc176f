import DSP

/// A distance between two spelled pitches: `b3` is a minor third, `#4` an augmented fourth.
///
/// The number counts letters; the signs give the difference from the major or perfect interval.
public struct Interval: Hashable, Sendable, CustomStringConvertible {
  /// Letters between the pitches: 2 for a third, 8 for a ninth.
  public let steps: Int
  public let semitones: Int

  private static let ofMajorScale = [0, 2, 4, 5, 7, 9, 11]

  /// The interval of the major scale, 0 the unison, 7 the octave, raised by `alteration` semitones.
  public init(steps: Int, alteration: Int = 0) {
    self.steps = steps
    let octaves = floorOf(Double(steps) / 7)
    semitones = 12 * octaves + Self.ofMajorScale[steps - 7 * octaves] + alteration
  }

  /// Reads `5`, `b7` or `##4`, from 1 to 15; `nil` for other texts.
  public init?(spelled text: String) {
    let (alteration, rest) = SpelledPitch.alteration(at: text[...])
    guard let number = Int(rest), (1...15).contains(number), rest.first != "+" else { return nil }
    self.init(steps: number - 1, alteration: alteration)
  }

  public var description: String {
    let alteration = semitones - Interval(steps: steps).semitones
    return SpelledPitch.signs(alteration) + "\(steps + 1)"
  }
}
