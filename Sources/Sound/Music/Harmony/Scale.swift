/// A scale or mode: a subset of the twelve semitones above its tonic.
public struct Scale: Hashable, Sendable {
  private let written: WrittenName
  /// Bit `n` is set if the tone `n` semitones above the tonic belongs to the scale; bit 0 always is.
  public let tones: UInt16

  /// - Parameter semitones: above the tonic, 0 to 11.
  public init(name: String, semitones: [Int]) {
    written = WrittenName(name)
    tones = semitones.reduce(1) { $0 | 1 << UInt16($1) }
  }

  /// Its name. Scales of other names may be equal, such as major and ionian.
  public var name: String { written.text }

  public static let named: [Scale] = [
    Scale(name: "major", semitones: [0, 2, 4, 5, 7, 9, 11]),
    Scale(name: "minor", semitones: [0, 2, 3, 5, 7, 8, 10]),
    Scale(name: "harmonic minor", semitones: [0, 2, 3, 5, 7, 8, 11]),
    Scale(name: "melodic minor", semitones: [0, 2, 3, 5, 7, 9, 11]),
    Scale(name: "ionian", semitones: [0, 2, 4, 5, 7, 9, 11]),
    Scale(name: "dorian", semitones: [0, 2, 3, 5, 7, 9, 10]),
    Scale(name: "phrygian", semitones: [0, 1, 3, 5, 7, 8, 10]),
    Scale(name: "lydian", semitones: [0, 2, 4, 6, 7, 9, 11]),
    Scale(name: "mixolydian", semitones: [0, 2, 4, 5, 7, 9, 10]),
    Scale(name: "aeolian", semitones: [0, 2, 3, 5, 7, 8, 10]),
    Scale(name: "locrian", semitones: [0, 1, 3, 5, 6, 8, 10]),
    // Modes of the melodic minor, from its second tone.
    Scale(name: "dorian b2", semitones: [0, 1, 3, 5, 7, 9, 10]),
    Scale(name: "lydian augmented", semitones: [0, 2, 4, 6, 8, 9, 11]),
    Scale(name: "lydian dominant", semitones: [0, 2, 4, 6, 7, 9, 10]),
    Scale(name: "mixolydian b6", semitones: [0, 2, 4, 5, 7, 8, 10]),
    Scale(name: "locrian #2", semitones: [0, 2, 3, 5, 6, 8, 10]),
    Scale(name: "altered", semitones: [0, 1, 3, 4, 6, 8, 10]),
    // Modes of the harmonic minor, from its second tone.
    Scale(name: "locrian #6", semitones: [0, 1, 3, 5, 6, 9, 10]),
    Scale(name: "ionian #5", semitones: [0, 2, 4, 5, 8, 9, 11]),
    Scale(name: "dorian #4", semitones: [0, 2, 3, 6, 7, 9, 10]),
    Scale(name: "phrygian dominant", semitones: [0, 1, 4, 5, 7, 8, 10]),
    Scale(name: "lydian #2", semitones: [0, 3, 4, 6, 7, 9, 11]),
    Scale(name: "ultralocrian", semitones: [0, 1, 3, 4, 6, 8, 9]),
    // Others of seven tones.
    Scale(name: "harmonic major", semitones: [0, 2, 4, 5, 7, 8, 11]),
    Scale(name: "double harmonic", semitones: [0, 1, 4, 5, 7, 8, 11]),
    Scale(name: "hungarian minor", semitones: [0, 2, 3, 6, 7, 8, 11]),
    // Fewer tones, or more.
    Scale(name: "major pentatonic", semitones: [0, 2, 4, 7, 9]),
    Scale(name: "minor pentatonic", semitones: [0, 3, 5, 7, 10]),
    Scale(name: "blues", semitones: [0, 3, 5, 6, 7, 10]),
    Scale(name: "major blues", semitones: [0, 2, 3, 4, 7, 9]),
    Scale(name: "whole tone", semitones: [0, 2, 4, 6, 8, 10]),
    Scale(name: "diminished", semitones: [0, 2, 3, 5, 6, 8, 9, 11]),
    Scale(name: "dominant diminished", semitones: [0, 1, 3, 4, 6, 7, 9, 10]),
    Scale(name: "chromatic", semitones: Array(0..<12)),
  ]

  /// - Parameter text: a name of `named`, or twelve digits, 1 for each tone from the tonic up.
  public init(named text: String) throws(MusicError) {
    if text.count == 12, text.first == "1", text.allSatisfy({ "01".contains($0) }) {
      let digits = text.enumerated().filter { $0.element == "1" }
      self.init(name: text, semitones: digits.map(\.offset))
      return
    }
    guard let known = Self.named.first(where: { $0.name == text.lowercased() }) else {
      throw .scale(text)
    }
    self = known
  }

  /// The tones in semitones, rising from the tonic, 0.
  public var semitones: [Int] { (0..<12).filter { tones >> UInt16($0) & 1 == 1 } }

  /// The tones as a set of classes above the tonic.
  public var toneSet: ToneSet { ToneSet(bits: tones) }

  public func contains(_ semitones: Int) -> Bool {
    toneSet.contains(semitones)
  }
}
