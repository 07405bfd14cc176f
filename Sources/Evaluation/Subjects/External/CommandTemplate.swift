import Foundation
import Platform

/// Texts with places in braces to fill in at each call:
/// `["rubberband", "--pitch", "{semitones}", "{input}", "{output}"]`.
///
/// A place that a score may leave empty can hold the word to use then: `{interval2:0}`. The place of a
/// tone holds its words for off and on, and perhaps one for scores without a key: `{tone0:-1,1,0}`.
package struct CommandTemplate: Equatable, Sendable {
  let words: [String]
  /// The places in order of appearance.
  let slots: [Slot]

  /// The places that the toolkit fills in; all others are settings.
  enum Place: String, CaseIterable {
    case input, output, folder
    // Places of one voice; the program is called once for each voice.
    case semitones, ratio, cents, degree, note, voice
    // Places of the whole choir, in one call.
    case intervals, degrees, notes, midi, chord, map
    case key, keyNumber, scale, tones
    case rate, block, recording, condition, score

    /// True for places that some scores have no text for.
    var dependsOnScore: Bool {
      switch self {
      case .semitones, .ratio, .cents, .degree, .note, .intervals, .degrees, .notes, .midi, .chord,
        .map, .key, .keyNumber, .scale, .tones:
        true
      case .input, .output, .folder, .voice, .rate, .block, .recording, .condition, .score: false
      }
    }
  }

  /// Places with a number: one for each pitch class from 0, C, or for each voice from 1.
  enum NumberedPlace: String, CaseIterable {
    case tone, interval, degree, note

    var numbers: ClosedRange<Int> { self == .tone ? 0...11 : 1...VoiceAllocation.voiceLimit }

    func name(_ number: Int) -> String { "\(rawValue)\(number)" }

    /// Returns the place and number of a name such as `tone11`.
    static func parse(_ name: String) -> (place: NumberedPlace, number: Int)? {
      for place in allCases where name.hasPrefix(place.rawValue) {
        let digits = name.dropFirst(place.rawValue.count)
        guard let number = Int(digits), "\(number)" == digits, place.numbers.contains(number) else {
          continue
        }
        return (place, number)
      }
      return nil
    }
  }

  /// A place in a text.
  struct Slot: Equatable {
    var name: String
    /// The text after the colon; `nil` if there is none.
    var words: String?

    /// True if only some scores have a text for it.
    var dependsOnScore: Bool {
      Place(rawValue: name)?.dependsOnScore ?? (NumberedPlace.parse(name) != nil)
    }

    /// True for the place of a tone.
    var isTone: Bool { NumberedPlace.parse(name)?.place == .tone }

    /// The words of a tone for off, on and, perhaps, for scores without a key.
    var toneTexts: [String] {
      words?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? ["0", "1"]
    }

    /// Returns the text for a value; `nil` if there is neither a value nor a word for none.
    func text(_ value: String?) -> String? {
      guard isTone else { return value ?? words }
      let words = toneTexts
      if let value { return words[value == "1" ? 1 : 0] }
      return words.count > 2 ? words[2] : nil
    }
  }

  package init(_ words: [String]) {
    self.words = words
    slots = words.filter(Self.hasBrace).flatMap {
      $0.matches(of: Self.pattern).compactMap(Self.slot)
    }
  }

  /// The names in braces, in order and without repetition.
  package var places: [String] { slots.map(\.name).uniqued() }

  /// The places that only a setting can fill.
  package var settingNames: [String] { places.filter { !Self.isPlace($0) } }

  func has(_ place: Place) -> Bool { places.contains(place.rawValue) }

  /// True if the program is called once for each voice of some scores.
  var hasPlaceOfOneVoice: Bool {
    [Place.semitones, .ratio, .cents, .degree, .note, .voice].contains(where: has)
  }

  /// True if the toolkit fills in the place of this name.
  static func isPlace(_ name: String) -> Bool {
    Place(rawValue: name) != nil || NumberedPlace.parse(name) != nil
  }

  /// Number of numbered places without a gap from the first.
  func count(of place: NumberedPlace) -> Int {
    let names = Set(places)
    return place.numbers.prefix { names.contains(place.name($0)) }.count
  }

  /// An error in the words of a place; `nil` if there is none.
  var problem: String? {
    for slot in slots where slot.isTone && !(2...3).contains(slot.toneTexts.count) {
      return "{\(slot.name):\(slot.words ?? "")} needs the words for off and on, such as "
        + "{\(slot.name):0,1}; correct it"
    }
    return nil
  }

  /// Returns the words with their places filled in.
  ///
  /// - Parameter values: the values by place; other places stay.
  package func filled(_ values: [String: String]) -> [String] {
    words.map { word in
      guard Self.hasBrace(word) else { return word }
      return word.replacing(Self.pattern) { match in
        Self.slot(match)?.text(values[String(match.1)]) ?? String(match.0)
      }
    }
  }

  /// False for most words and nearly all variables of an environment, which no pattern needs to search.
  private static func hasBrace(_ word: String) -> Bool { word.utf8.contains(UInt8(ascii: "{")) }

  /// True if a word in braces would be taken for a place.
  static func canBePlace(_ name: String) -> Bool { "{\(name)}".wholeMatch(of: pattern) != nil }

  private typealias Pattern = Regex<(Substring, Substring, Substring?)>

  private static var pattern: Pattern { /\{([A-Za-z][A-Za-z0-9]*)(?::([^{}]*))?\}/ }

  /// Returns the slot of a match. `${NAME:-word}` of a shell is none, because only places of a score
  /// take words.
  private static func slot(_ match: Pattern.Match) -> Slot? {
    let slot = Slot(name: String(match.1), words: match.2.map(String.init))
    return slot.words == nil || slot.dependsOnScore ? slot : nil
  }

  /// The places in words, for errors.
  static var list: String {
    let plain = Place.allCases.map { "{\($0.rawValue)}" }
    let numbered = NumberedPlace.allCases.map {
      "{\($0.name($0.numbers.lowerBound))} to {\($0.name($0.numbers.upperBound))}"
    }
    return (plain + numbered).joined(separator: ", ")
  }
}
