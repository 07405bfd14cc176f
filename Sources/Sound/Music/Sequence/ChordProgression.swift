/// Chords in bars: `C:maj7 | A:min7 | D:min7 G:7`, or Roman numerals of a key: `I vi ii V`.
///
/// Bars are separated by `|`, and the chords of a bar share it evenly. Without any `|` each chord
/// takes a bar. A chord is a name, a Roman numeral if there is a key, or `rest`, which is silence.
public struct ChordProgression: Equatable, Sendable, CustomStringConvertible {
  /// The chords of each bar; `nil` is silence.
  public let bars: [[Chord?]]
  /// The key of the Roman numerals.
  public let key: Key?
  private let written: WrittenName

  public init(named text: String, in key: Key? = nil) throws(MusicError) {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let barTexts =
      words.contains("|") ? Self.barred(words) : words.split(separator: " ").map { $0[...] }
    guard !barTexts.isEmpty else { throw .emptyBar(1) }
    var bars: [[Chord?]] = []
    for (index, bar) in barTexts.enumerated() {
      let names = bar.split(separator: " ")
      guard !names.isEmpty else { throw .emptyBar(index + 1) }
      var chords: [Chord?] = []
      for name in names {
        do { chords.append(try Self.chord(String(name), key)) } catch {
          throw .bar(index + 1, error)
        }
      }
      bars.append(chords)
    }
    (self.bars, self.key, written) = (bars, key, WrittenName(text))
  }

  /// The text as it was written. Progressions of other names may be equal.
  public var description: String { written.text }

  /// Splits at each `|`, ignoring one at either end.
  private static func barred(_ words: String) -> [Substring] {
    var bars = words.split(separator: "|", omittingEmptySubsequences: false)
    if words.hasPrefix("|") { bars.removeFirst() }
    if words.hasSuffix("|"), !bars.isEmpty { bars.removeLast() }
    return bars
  }

  private static func chord(_ name: String, _ key: Key?) throws(MusicError) -> Chord? {
    if name == rest { return nil }
    // Chords begin with a capital from A to G, Roman numerals with I, V or a sign.
    guard let first = name.first, !SpelledPitch.letters.contains(first) else {
      return try Chord(named: name)
    }
    guard let numeral = try? RomanNumeral(named: name) else {
      if key != nil { throw .romanNumeral(name) }
      return try Chord(named: name)
    }
    guard let key else { throw .numeralWithoutKey(name) }
    return numeral.chord(in: key)
  }

  private static let rest = "rest"

  /// A chord with its place in musical time.
  public struct TimedChord: Equatable, Sendable {
    public var atBeats: Double
    public var forBeats: Double
    /// `nil` is silence.
    public var chord: Chord?
  }

  /// Returns the chords in order of time, the first at beat 0, each until the next.
  public func timed(in timeSignature: TimeSignature = .common) -> [TimedChord] {
    bars.enumerated().flatMap { index, chords in
      let start = Double(index) * timeSignature.barBeats
      let share = timeSignature.barBeats / Double(chords.count)
      return chords.enumerated().map { place, chord in
        TimedChord(atBeats: start + Double(place) * share, forBeats: share, chord: chord)
      }
    }
  }
}
