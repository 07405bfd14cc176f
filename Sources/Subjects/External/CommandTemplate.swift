import Files
import Foundation

/// The words of a command, with places in braces to fill in at each call:
/// `["rubberband", "--pitch", "{semitones}", "{input}", "{output}"]`.
struct CommandTemplate: Equatable, Sendable {
  let words: [String]

  /// The places that the toolkit fills in; all others are settings.
  enum Place: String, CaseIterable {
    case input, output, semitones, ratio, cents, intervals, notes, midi, rate, block
    case recording, condition, score
  }

  init(_ words: [String]) { self.words = words }

  /// The names in braces, in order and without repetition.
  var places: [String] {
    words.flatMap { $0.matches(of: Self.pattern).map { String($0.1) } }.uniqued()
  }

  /// The places that only a setting can fill.
  var settingNames: [String] { places.filter { Place(rawValue: $0) == nil } }

  func has(_ place: Place) -> Bool { places.contains(place.rawValue) }

  /// Returns the words with their places filled in.
  ///
  /// - Parameter values: the values by place; other places stay.
  func filled(_ values: [String: String]) -> [String] {
    words.map { word in
      word.replacing(Self.pattern) { match in values[String(match.1)] ?? String(match.0) }
    }
  }

  private static var pattern: Regex<(Substring, Substring)> { /\{([A-Za-z][A-Za-z0-9]*)\}/ }
}
