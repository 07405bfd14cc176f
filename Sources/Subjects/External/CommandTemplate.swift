import Foundation

/// The words of a command with places for what differs from one call to the next:
/// `["rubberband", "--pitch", "{semitones}", "{input}", "{output}"]`.
struct CommandTemplate: Equatable, Sendable {
  let words: [String]

  /// What the toolkit fills in; settings have names of their own.
  enum Place: String, CaseIterable {
    case input, output, semitones, ratio, cents, intervals, notes, midi, rate, block
    case recording, condition, score
  }

  init(_ words: [String]) { self.words = words }

  /// The names in braces, in order and without repetition.
  var places: [String] {
    var found: [String] = []
    for word in words {
      for match in word.matches(of: Self.pattern) where !found.contains(String(match.1)) {
        found.append(String(match.1))
      }
    }
    return found
  }

  /// Those that nobody but a setting can fill.
  var settingNames: [String] { places.filter { Place(rawValue: $0) == nil } }

  func has(_ place: Place) -> Bool { places.contains(place.rawValue) }

  /// - Parameter values: of every place.
  func filled(_ values: [String: String]) -> [String] {
    words.map { word in
      word.replacing(Self.pattern) { match in values[String(match.1)] ?? String(match.0) }
    }
  }

  private static var pattern: Regex<(Substring, Substring)> { /\{([A-Za-z][A-Za-z0-9]*)\}/ }
}
