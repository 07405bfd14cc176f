import Foundation

/// A note on the equal-tempered scale, numbered as in MIDI: middle C, `C4`, is 60 and A4 is 69.
///
/// Fractions lie between the keys. In YAML and JSON it is a number, or a name where it is read.
public struct NoteNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let semitones: Double

  /// - Parameter semitones: finite.
  public init(_ semitones: Double) { self.semitones = semitones }

  /// The note of a frequency at a tuning of A4 = 440 Hz.
  ///
  /// - Parameter hz: positive and finite.
  public init(hz: Double) { self.init(69 + 12 * log2(hz / 440)) }

  /// From a name such as `C4`, `F#3` or `Bb-1`; octaves begin at C.
  public init(named text: String) throws(MusicError) {
    guard let (pitch, rest) = PitchClass.spelled(at: text[...]), let octave = Int(rest),
      rest.first != "+", abs(octave) < 100
    else { throw .note(text) }
    self.init(Double(12 * (octave + 1) + pitch))
    guard Self.range.contains(semitones) else { throw .noteRange(text) }
  }

  /// What MIDI can say: C-1 to G9.
  public static let range = 0.0...127.0

  /// At a tuning of A4 = 440 Hz.
  public var hz: Double { 440 * exp2((semitones - 69) / 12) }

  /// The nearest key's name, with the cents beyond it if there are any: `C4`, `F#3+14`.
  public func name(flats: Bool = false) -> String {
    let key = Int(semitones.rounded())
    let octave = (Double(key) / 12).rounded(.down) - 1
    let cents = Int(((semitones - Double(key)) * 100).rounded())
    let rest = cents == 0 ? "" : cents > 0 ? "+\(cents)" : "\(cents)"
    return PitchClass(key).name(flats: flats) + "\(Int(octave))" + rest
  }

  public var description: String { name() }

  public static func < (left: NoteNumber, right: NoteNumber) -> Bool {
    left.semitones < right.semitones
  }
}

extension NoteNumber: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      guard Self.range.contains(number) else {
        throw container.problem(MusicError.noteRange("\(number)"))
      }
      self.init(number)
    } else {
      let text = try container.decode(String.self)
      do { try self.init(named: text) } catch { throw container.problem(error) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(semitones)
  }
}

extension SingleValueDecodingContainer {
  /// What is wrong with the text at this place.
  func problem(_ error: MusicError) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: error.description)
  }
}
