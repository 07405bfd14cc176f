import Foundation

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

  /// The church modes, the modes of the melodic and of the harmonic minor, and others of five to twelve
  /// tones.
  public static let named = try! JSONDecoder().decode(  // the file is part of the program
    [Row].self, from: Data(PackageResources.scales_json)
  ).map { Scale(name: $0.name, semitones: $0.semitones) }

  private struct Row: Decodable {
    var name: String
    var semitones: [Int]
  }

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
