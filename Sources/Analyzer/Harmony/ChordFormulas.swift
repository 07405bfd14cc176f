/// The named chords, from common to rare.
enum ChordFormulas {
  struct Formula: Sendable {
    /// The part of a label after the root and a colon.
    let name: String
    /// Bit `n` is the tone `n` semitones above the root, in any octave.
    let tones: UInt16

    init(_ name: String, _ semitones: [Int]) {
      (self.name, tones) = (name, PitchClasses.set(semitones))
    }

    /// The chord's spelling of a bass tone, its own or another.
    func degree(ofInterval semitones: Int) -> String {
      let spelled: [Int: String] =
        if name.hasPrefix("dim7") {
          [6: "b5", 9: "bb7"]
        } else if name.hasPrefix("dim") || name.hasPrefix("hdim") {
          [6: "b5"]
        } else if name.hasPrefix("aug") {
          [8: "#5"]
        } else {
          [:]
        }
      return spelled[semitones] ?? Self.degrees[semitones]
    }

    private static let degrees = [
      "1", "b2", "2", "b3", "3", "4", "#4", "5", "b6", "6", "b7", "7",
    ]
  }

  static let all: [Formula] = [
    .init("maj", [0, 4, 7]), .init("min", [0, 3, 7]), .init("7", [0, 4, 7, 10]),
    .init("min7", [0, 3, 7, 10]), .init("maj7", [0, 4, 7, 11]), .init("dim", [0, 3, 6]),
    .init("sus4", [0, 5, 7]), .init("sus2", [0, 2, 7]), .init("aug", [0, 4, 8]),
    .init("maj6", [0, 4, 7, 9]), .init("min6", [0, 3, 7, 9]), .init("hdim7", [0, 3, 6, 10]),
    .init("dim7", [0, 3, 6, 9]), .init("minmaj7", [0, 3, 7, 11]), .init("9", [0, 4, 7, 10, 14]),
    .init("min9", [0, 3, 7, 10, 14]), .init("maj9", [0, 4, 7, 11, 14]),
    .init("maj(9)", [0, 4, 7, 14]), .init("min(9)", [0, 3, 7, 14]),
    .init("maj6(9)", [0, 4, 7, 9, 14]), .init("min6(9)", [0, 3, 7, 9, 14]),
    .init("sus4(b7)", [0, 5, 7, 10]), .init("aug(b7)", [0, 4, 8, 10]),
    .init("aug(7)", [0, 4, 8, 11]), .init("7(b9)", [0, 4, 7, 10, 13]),
    .init("7(#9)", [0, 4, 7, 10, 15]), .init("7(#11)", [0, 4, 7, 10, 18]),
    .init("7(b13)", [0, 4, 7, 10, 20]), .init("maj7(#11)", [0, 4, 7, 11, 18]),
    .init("min11", [0, 3, 7, 10, 14, 17]), .init("11", [0, 4, 7, 10, 14, 17]),
    .init("7(13)", [0, 4, 7, 10, 21]), .init("5", [0, 7]),
    // Without the fifth, the tone that singers omit first.
    .init("maj(*5)", [0, 4]), .init("min(*5)", [0, 3]), .init("7(*5)", [0, 4, 10]),
    .init("min7(*5)", [0, 3, 10]), .init("maj7(*5)", [0, 4, 11]), .init("1", [0]),
  ]

  /// The chords that can be told apart by ear: three tones or more, none beyond the seventh.
  static let audible = all.prefix { $0.name != "9" }
}
