/// A name that music has no meaning for; each case shows the text and says what is allowed.
public enum MusicError: Error, Equatable, Sendable, CustomStringConvertible {
  case pitchClass(String)
  case note(String)
  case noteRange(String)
  case chord(String, unknownQuality: String)
  case scale(String)
  case key(String)
  case degree(Int)
  case romanNumeral(String)

  public var description: String {
    switch self {
    case .pitchClass(let text):
      "'\(text)' is no pitch; write a letter A to G with # or b after it, such as F# or Bb"
    case .note(let text):
      "'\(text)' is no note; write a pitch and its octave, such as C4, F#3 or Bb-1, "
        + "or a number from 0 to 127"
    case .noteRange(let text):
      "the note '\(text)' lies outside 0 to 127, which is C-1 to G9"
    case .chord(let text, let quality):
      "'\(text)' is no chord: '\(quality)' is none of its qualities; write a pitch and one of "
        + ChordFormula.names.joined(separator: " ") + ", such as C:maj7, Am or G7/B"
    case .scale(let text):
      "'\(text)' is no scale; there are \(Scale.named.map(\.name).joined(separator: ", "))"
    case .key(let text):
      "'\(text)' is no key; write a pitch and a scale, such as 'C major' or 'F# dorian'"
    case .romanNumeral(let text):
      "'\(text)' is no Roman numeral; write I to VII for major chords and i to vii for minor ones, "
        + "perhaps with # or b before, a quality after and a key of its own, such as bVII, ii7, "
        + "viiø7 or V7/V"
    case .degree(let degree):
      "\(degree) is no degree; choose 1 to 15, or -1 to -15 below the lead: 1 is the lead's own "
        + "note, 3 a third, 8 an octave"
    }
  }
}
