import Foundation

/// Pitch on the equal-tempered scale: semitones numbered as in MIDI, with A4 = 69 = 440 Hz.
public enum Pitch {
  /// Returns the frequency of a note number, which may be fractional.
  public static func hz(_ semitones: Double) -> Double { 440 * exp2((semitones - 69) / 12) }

  /// Returns the note number of a positive frequency.
  public static func semitones(hz: Double) -> Double { 69 + 12 * log2(hz / 440) }

  /// Returns the note number of a name such as `C4`, `F#3` or `Bb2`; nil for other texts.
  public static func semitones(named name: String) -> Double? {
    let steps: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    guard let letter = name.first, let step = steps[letter] else { return nil }
    var rest = name.dropFirst()
    var accidental = 0
    while let sign = rest.first, sign == "#" || sign == "b" {
      accidental += sign == "#" ? 1 : -1
      rest = rest.dropFirst()
    }
    guard let octave = Int(rest) else { return nil }
    return Double(12 * (octave + 1) + step + accidental)
  }

  /// Returns the name of the nearest key, with sharps: `C4`, `F#3`.
  public static func name(_ semitones: Double) -> String {
    let key = Int(semitones.rounded())
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    let step = ((key % 12) + 12) % 12
    return "\(names[step])\((key - step) / 12 - 1)"
  }
}
