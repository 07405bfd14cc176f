/// The meaning of a shorthand such as `min7`.
struct ChordQuality: Sendable {
  /// The tones: bit `n` is `n` semitones above the root; ninths and beyond are omitted.
  let intervals: UInt16
  /// The tones of the chord without `extras`, if they differ from `intervals`.
  let reduced: UInt16?
  /// Tones beyond the seventh, in semitones above the root.
  let extras: [Int]

  private init(_ semitones: [Int], reduced: [Int]? = nil, extras: [Int] = []) {
    intervals = PitchClasses.set(semitones)
    self.reduced = reduced.map { PitchClasses.set($0) }
    self.extras = extras
  }

  /// The root alone, to which degrees in brackets are added.
  static let root = ChordQuality([0])

  /// The qualities of mir_eval 0.8.
  static let named: [String: ChordQuality] = [
    "maj": .init([0, 4, 7]), "min": .init([0, 3, 7]), "aug": .init([0, 4, 8]),
    "dim": .init([0, 3, 6]), "sus4": .init([0, 5, 7]), "sus2": .init([0, 2, 7]),
    "7": .init([0, 4, 7, 10]), "maj7": .init([0, 4, 7, 11]), "min7": .init([0, 3, 7, 10]),
    "minmaj7": .init([0, 3, 7, 11], reduced: [0, 3, 7], extras: [11]),
    "maj6": .init([0, 4, 7, 9]), "min6": .init([0, 3, 7, 9]), "dim7": .init([0, 3, 6, 9]),
    "hdim7": .init([0, 3, 6, 10]), "1": .init([0]), "5": .init([0, 7]),
    "maj9": .init([0, 4, 7, 11], extras: [14]), "min9": .init([0, 3, 7, 10], extras: [14]),
    "9": .init([0, 4, 7, 10], extras: [14]), "min11": .init([0, 3, 7, 10], extras: [14, 17]),
    "11": .init([0, 4, 7, 10], extras: [14, 17]),
    "maj13": .init([0, 4, 7, 11], extras: [14, 17, 21]),
    "min13": .init([0, 3, 7, 10], extras: [14, 17, 21]),
    "13": .init([0, 4, 7, 10], extras: [14, 17, 21]),
  ]
}
