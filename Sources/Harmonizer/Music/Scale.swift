/// A scale or mode: which of the twelve semitones above its tonic belong to it.
public struct Scale: Hashable, Sendable {
  public let name: String
  /// Bit `n` is set where the tone `n` semitones above the tonic belongs; bit 0 always is.
  public let tones: UInt16

  /// - Parameter semitones: above the tonic, 0 to 11.
  public init(name: String, semitones: [Int]) {
    self.name = name
    tones = semitones.reduce(1) { $0 | 1 << UInt16($1) }
  }

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
    Scale(name: "major pentatonic", semitones: [0, 2, 4, 7, 9]),
    Scale(name: "minor pentatonic", semitones: [0, 3, 5, 7, 10]),
    Scale(name: "blues", semitones: [0, 3, 5, 6, 7, 10]),
    Scale(name: "whole tone", semitones: [0, 2, 4, 6, 8, 10]),
    Scale(name: "chromatic", semitones: Array(0..<12)),
  ]

  public init(named text: String) throws(MusicError) {
    guard let known = Self.named.first(where: { $0.name == text.lowercased() }) else {
      throw .scale(text)
    }
    self = known
  }

  /// Rising from the tonic, 0.
  public var semitones: [Int] { (0..<12).filter { tones >> UInt16($0) & 1 == 1 } }

  public func contains(_ semitones: Int) -> Bool {
    tones >> UInt16(PitchClass(semitones).semitones) & 1 == 1
  }
}
