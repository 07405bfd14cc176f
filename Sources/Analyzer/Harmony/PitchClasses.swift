/// Sets of pitch classes as twelve bits: bit `n` is the tone `n` semitones above C, in any octave.
enum PitchClasses {
  static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

  /// Transposes the set up by `semitones`.
  static func rotated(_ set: UInt16, by semitones: Int) -> UInt16 {
    let up = UInt16((semitones % 12 + 12) % 12)
    return (set << up | set >> (12 - up)) & 0xFFF
  }

  /// - Parameter semitones: semitones above any C, in any octave.
  static func set(_ semitones: some Sequence<Int>) -> UInt16 {
    semitones.reduce(0) { $0 | 1 << UInt16(($1 % 12 + 12) % 12) }
  }

  /// The pitch classes of a set, ascending from C.
  static func members(_ set: UInt16) -> [Int] { (0..<12).filter { set >> UInt16($0) & 1 == 1 } }
}
