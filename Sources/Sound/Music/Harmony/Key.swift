/// A tonic and a scale: `C major`, `A minor`, `F# dorian`.
public struct Key: Hashable, Sendable, CustomStringConvertible {
  public let spelledTonic: SpelledPitch
  public let scale: Scale
  private let written: WrittenName

  public init(named text: String) throws(MusicError) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { throw .key(text) }
    spelledTonic = try SpelledPitch(named: String(words[0]))
    scale = try Scale(named: String(words[1]))
    written = WrittenName(text)
  }

  public init(_ tonic: SpelledPitch, _ scale: Scale) {
    (spelledTonic, self.scale) = (tonic, scale)
    written = WrittenName("\(tonic) \(scale.name)")
  }

  /// The name as it was written. Keys of other names may be equal.
  public var description: String { written.text }

  public static let cMajor = try! Key(named: "C major")

  public var tonic: PitchClass { spelledTonic.pitchClass }

  /// The pitch classes of the key.
  public var tones: ToneSet { scale.toneSet.transposed(by: tonic.semitones) }

  /// Returns the tone that lies a number of scale steps above a tone of the key; negative is below.
  public func tone(after tone: Int, steps: Int) -> Int {
    guard let found = tones.tone(after: tone, steps: steps) else {
      preconditionFailure("\(NoteNumber(Double(tone))) is no tone of \(self)")
    }
    return found
  }

  /// Returns the distance of a degree above the lead's `tone`, which belongs to the key.
  ///
  /// Degrees count as musicians do: 1 is the tone itself, 3 a third above, -3 a third below.
  public func intervalSemitones(ofDegree degree: Int, above tone: Int) throws(MusicError) -> Int {
    guard Self.degrees.contains(degree), degree != 0 else { throw .degree(degree) }
    return self.tone(after: tone, steps: degree > 0 ? degree - 1 : degree + 1) - tone
  }

  /// The range of degrees; 0 is none of them.
  public static let degrees = -15...15
}

extension Key: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(named: text) } catch { throw container.problem(error) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
