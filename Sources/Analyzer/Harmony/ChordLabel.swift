/// A chord by name, in the syntax of Harte: `C:maj7/3`, `F#:min`, `Bb:sus4(b7)`, `N`.
///
/// A label has a root and a quality, degrees added in brackets or removed with an asterisk, and
/// after a slash the degree of the lowest tone. `N` is no chord; `X` is a chord without a name
/// here. Pitch classes are semitones above C, 0 to 11.
///
/// - Source: Harte, Sandler, Abdallah and Gómez, "Symbolic representation of musical chords", ISMIR
///   2005, in the dialect of mir_eval 0.8.
public struct ChordLabel: Hashable, Sendable, CustomStringConvertible {
  /// The label as it was written.
  public let description: String
  /// Pitch class of the root; `nil` for `N` and `X`.
  public let root: Int?
  /// The lowest tone, in semitones above the root, 0 to 11; `nil` for `N` and `X`.
  public let bassInterval: Int?
  /// The tones that sound: bit `n` is `n` semitones above the root. Ninths and beyond are omitted, as
  /// in mir_eval's comparisons. `N` has none; `X` has all, since any may sound.
  public let intervals: UInt16
  /// The same set with ninths and beyond, folded into one octave.
  public let allIntervals: UInt16

  public static let noChord = ChordLabel(special: "N", intervals: 0)
  public static let unknown = ChordLabel(special: "X", intervals: 0xFFF)

  /// A reason why a text is no chord.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case root(String)
    case quality(String, of: String)
    case degree(String, of: String)

    public var description: String {
      switch self {
      case .root(let text):
        "'\(text)' is no chord; write a root A to G with # or b after it, such as C:maj or F#:min7"
      case .quality(let quality, let text):
        "'\(text)' is no chord: '\(quality)' is none of its qualities; choose "
          + ChordQuality.named.keys.sorted().joined(separator: " ")
      case .degree(let degree, let text):
        "'\(text)' is no chord: '\(degree)' is no degree; write 1 to 13 with # or b before it"
      }
    }
  }

  public init(_ text: String) throws(Failure) {
    if text == "N" || text == "X" {
      self = text == "N" ? .noChord : .unknown
      return
    }
    guard let letter = text.first, let natural = Self.letters[letter] else { throw .root(text) }
    let (shift, afterRoot) = Self.accidentals(text.dropFirst())
    let slash = afterRoot.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let body = slash[0]
    guard body.isEmpty || body.first == ":" && body.count > 1 else { throw .root(text) }

    var (shorthand, degrees) = (body.dropFirst(), [Substring]())
    if let bracket = shorthand.firstIndex(of: "(") {
      guard shorthand.last == ")" else { throw .degree(String(shorthand[bracket...]), of: text) }
      degrees = shorthand[shorthand.index(after: bracket)...].dropLast()
        .split(separator: ",", omittingEmptySubsequences: false)
      shorthand = shorthand[..<bracket]
    }
    // A bare root is major; degrees in brackets without a quality are the whole chord.
    let name = body.isEmpty ? "maj" : String(shorthand)
    guard let quality = name.isEmpty ? ChordQuality.root : ChordQuality.named[name] else {
      throw .quality(name, of: text)
    }
    func semitones(_ degree: Substring) throws(Failure) -> Int {
      guard let semitones = Self.semitones(ofDegree: degree) else {
        throw .degree(String(degree), of: text)
      }
      return semitones
    }
    var (near, all) = (Counts(quality.intervals), Counts(quality.reduced ?? quality.intervals))
    for extra in quality.extras { all.add(extra, 1) }
    for degree in degrees {
      let change = degree.first == "*" ? -1 : 1
      let distance = try semitones(degree.first == "*" ? degree.dropFirst() : degree)
      if distance < 12 { near.add(distance, change) }
      all.add(distance, change)
    }
    let bass = slash.count == 2 ? (try semitones(slash[1])) % 12 : 0
    let lowest = (bass + 12) % 12
    description = text
    root = ((natural + shift) % 12 + 12) % 12
    bassInterval = lowest
    intervals = near.mask | 1 << UInt16(lowest)
    allIntervals = all.mask | 1 << UInt16(lowest)
  }

  private init(special: String, intervals: UInt16) {
    description = special
    (root, bassInterval) = (nil, nil)
    (self.intervals, allIntervals) = (intervals, intervals)
  }

  /// The pitch classes that sound: bit `n` is `n` semitones above C; ninths and beyond are omitted.
  public var pitchClasses: UInt16 { PitchClasses.rotated(intervals, by: root ?? 0) }

  /// The number of times each interval is added; a tone sounds if additions outnumber removals.
  private struct Counts {
    private var counts: [Int]
    init(_ mask: UInt16) { counts = (0..<12).map { Int(mask >> UInt16($0) & 1) } }
    mutating func add(_ semitones: Int, _ change: Int) { counts[(semitones + 12) % 12] += change }
    var mask: UInt16 { (0..<12).reduce(0) { $0 | (counts[$1] > 0 ? 1 << UInt16($1) : 0) } }
  }

  private static let letters: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]

  private static let degrees = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19, 21]

  /// The semitones of a degree above the root, negative for a much lowered one; `nil` if the text
  /// is no degree.
  private static func semitones(ofDegree text: Substring) -> Int? {
    let (shift, rest) = accidentals(text)
    guard let number = Int(rest), rest.first != "0", rest.first != "+", 1...13 ~= number,
      abs(shift) < 12
    else { return nil }
    return degrees[number - 1] + shift
  }

  /// The sum of a text's leading sharps or flats, never both, and the rest of the text.
  private static func accidentals(_ text: Substring) -> (shift: Int, rest: Substring) {
    guard let sign = text.first, sign == "#" || sign == "b" else { return (0, text) }
    let rest = text.drop { $0 == sign }
    return ((sign == "#" ? 1 : -1) * (text.count - rest.count), rest)
  }
}

extension ChordLabel: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
