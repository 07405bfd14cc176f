/// A text that names nothing in music. Each case shows the text and the allowed ones.
public enum MusicError: Error, Equatable, Sendable, CustomStringConvertible {
  case pitchClass(String)
  case note(String)
  case noteRange(String)
  case chord(String, unknownQuality: String)
  case chordWithoutRoot(String)
  case scale(String)
  case key(String)
  case degree(Int)
  case romanNumeral(String)
  /// A Roman numeral in a progression without a key.
  case numeralWithoutKey(String)
  /// A bar of a progression, counted from 1, without a chord.
  case emptyBar(Int)
  /// An error in a bar of a progression, counted from 1.
  indirect case bar(Int, MusicError)

  public var description: String {
    switch self {
    case .pitchClass(let text):
      "'\(text)' is no pitch; write a letter A to G with # or b after it, such as F# or Bb"
    case .note(let text):
      "'\(text)' is no note; write a pitch and its octave, such as C4, F#3 or Bb-1, "
        + "or a whole number from 0 to 127"
    case .noteRange(let text):
      "the note '\(text)' lies outside 0 to 127, which is C-1 to G9"
    case .chord(let text, let quality):
      "'\(text)' is no chord: '\(quality)' is none of its qualities; write a pitch and one of "
        + ChordFormula.names.joined(separator: " ") + ", such as C:maj7, Am or G7/B"
    case .chordWithoutRoot(let text):
      "'\(text)' is no chord; begin with a pitch, a letter A to G with # or b after it, as in C:maj7, "
        + "F#m or G7/B"
    case .scale(let text):
      "'\(text)' is no scale; there are \(Scale.named.map(\.name).joined(separator: ", ")), or write "
        + "twelve digits, 1 for each tone from the tonic up, such as 101011010101"
    case .key(let text):
      "'\(text)' is no key; write a pitch and a scale, such as 'C major' or 'F# dorian'"
    case .romanNumeral(let text):
      "'\(text)' is no Roman numeral; write I to VII for major chords and i to vii for minor ones, "
        + "optionally with # or b before it, a quality after it and a key of its own, such as "
        + "bVII, ii7, viiø7 or V7/V"
    case .numeralWithoutKey(let text):
      "'\(text)' is a Roman numeral and needs a key; add one, such as 'C major'"
    case .emptyBar(let bar):
      "bar \(bar) is empty; write its chords, or 'rest' for silence"
    case .bar(let bar, let error): "bar \(bar): \(error)"
    case .degree(let degree):
      "\(degree) is no degree; choose 1 to 15, or -1 to -15 below the lead: 1 is the lead's own "
        + "note, 3 a third, 8 an octave"
    }
  }
}
