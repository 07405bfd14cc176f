import DSP
import Foundation

/// A note on the equal-tempered scale, numbered as in MIDI: middle C, `C4`, is 60 and A4 is 69.
///
/// Fractions lie between the keys. YAML and JSON hold a number, and may hold a name when read.
public struct NoteNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let semitones: Double

  /// - Parameter semitones: finite.
  @_noLocks public init(_ semitones: Double) { self.semitones = semitones }

  /// The note of a frequency, with A4 at 440 Hz.
  ///
  /// - Parameter hz: positive and finite.
  @_noLocks public init(hz: Double) { self.init(69 + 12 * RealtimeMath.log2(hz / 440)) }

  /// Reads a name such as `C4`, `F#3` or `Bb-1`, or the whole number of a key; octaves begin at C.
  public init(named text: String) throws(MusicError) {
    if let key = Int(text) {
      guard Self.range.contains(Double(key)) else { throw .noteRange(text) }
      self.init(Double(key))
      return
    }
    guard let (pitch, rest) = PitchClass.spelled(at: text[...]), let octave = Int(rest),
      rest.first != "+", (-99...99).contains(octave)
    else { throw .note(text) }
    self.init(Double(12 * (octave + 1) + pitch))
    guard Self.range.contains(semitones) else { throw .noteRange(text) }
  }

  /// The keys of MIDI: C-1 to G9.
  public static let range = 0.0...127.0

  /// The frequency, with A4 at 440 Hz.
  public var hz: Double { @_noLocks get { 440 * RealtimeMath.exp2((semitones - 69) / 12) } }

  /// The nearest key's name with sharps, followed by the deviation in cents unless it is 0: `C4`,
  /// `F#3+14`.
  public func name() -> String {
    let key = Int(semitones.rounded())
    let octave = (Double(key) / 12).rounded(.down) - 1
    let cents = Int(((semitones - Double(key)) * 100).rounded())
    let rest = cents == 0 ? "" : cents > 0 ? "+\(cents)" : "\(cents)"
    return PitchClass(key).name() + "\(Int(octave))" + rest
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
