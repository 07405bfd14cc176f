/// A tonic and a scale: `C major`, `A minor`, `F# dorian`.
public struct Key: NamedValue, Hashable, Sendable {
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

extension Key {
  /// Returns the chords of stacked thirds on each tone of the key: triads, or seventh chords.
  ///
  /// An entry is `nil` if no formula fits, such as for the augmented triad with a major seventh in
  /// harmonic minor. The list is empty unless the scale has seven tones.
  public func chords(withSevenths: Bool = false) -> [Chord?] {
    guard scale.semitones.count == 7 else { return [] }
    let tones = spelledTones
    return tones.indices.map { step in
      let stack = (0..<(withSevenths ? 4 : 3)).map { tones[(step + 2 * $0) % 7] }
      let formula = ChordFormula.all.first { formula in
        formula.intervals.map(stack[0].raised(by:)) == stack
      }
      return formula.map { Chord(stack[0], $0) }
    }
  }
}

extension Key {
  /// Returns the spelling of a pitch in this key.
  ///
  /// The tones of a scale of seven have one letter each: the seventh of F# major is E#. Any other
  /// pitch takes the spelling nearest to the key on the line of fifths: from the lowered second to
  /// the raised fourth around a major tonic. A key with a minor third takes the spellings around its
  /// relative major, but sharps for its raised sixth and seventh: G# in A minor.
  public func spelling(of pitch: PitchClass) -> SpelledPitch {
    if let known = spelledScale.first(where: { $0.pitchClass == pitch }) { return known }
    let lowest = spelledTonic.fifths - (isMinor ? 6 : 5)
    let window = (lowest..<lowest + 12).lazy.map(SpelledPitch.init(fifths:))
    return window.first { $0.pitchClass == pitch }!  // twelve fifths are all twelve classes
  }

  /// Returns the spelled name of a key of the keyboard, with its octave: `E#4`, `Cb5`.
  ///
  /// The octave is the letter's: Cb5 is the same key as B4.
  public func name(ofNote note: Int) -> String {
    spelling(of: PitchClass(note)).name(ofNote: note)
  }

  /// The spelled tones of the key, rising from the tonic. Seven tones have one letter each.
  public var spelledTones: [SpelledPitch] {
    scale.semitones.map { spelling(of: PitchClass(tonic.semitones + $0)) }
  }

  /// The tones of the scale with one letter each; empty unless the scale has seven.
  private var spelledScale: [SpelledPitch] {
    let rising = scale.semitones
    guard rising.count == 7 else { return [] }
    return rising.enumerated().map { steps, semitones in
      let alteration = semitones - Interval(steps: steps).semitones
      return spelledTonic.raised(by: Interval(steps: steps, alteration: alteration))
    }
  }

  private var isMinor: Bool { scale.contains(3) && !scale.contains(4) }
}
