import DSP

/// A set of pitch classes in twelve bits: all that the audio thread needs to know of a scale or a
/// chord.
///
/// Whether a class counts from C or from a tonic is for the user to say; `transposed` goes from one
/// to the other. Tones are keys of the keyboard, as MIDI numbers them, of any size and sign.
public struct ToneSet: Hashable, Sendable, BitwiseCopyable {
  /// Bit `n` is set where the class `n`, 0 to 11, belongs.
  public let bits: UInt16

  @_noLocks public init(bits: UInt16) { self.bits = bits & 0xfff }

  /// - Parameter tones: of any octave.
  public init(_ tones: some Sequence<Int>) {
    bits = tones.reduce(0) { $0 | 1 << UInt16(Self.pitchClass($1)) }
  }

  /// All twelve.
  public static var chromatic: ToneSet { @_noLocks get { ToneSet(bits: 0xfff) } }

  public var count: Int { @_noLocks get { bits.nonzeroBitCount } }

  public var isEmpty: Bool { @_noLocks get { bits == 0 } }

  @_noLocks public func contains(_ tone: Int) -> Bool {
    bits >> UInt16(Self.pitchClass(tone)) & 1 == 1
  }

  /// The same set that many semitones higher.
  @_noLocks public func transposed(by semitones: Int) -> ToneSet {
    let up = UInt16(Self.pitchClass(semitones))
    return ToneSet(bits: bits << up | bits >> (12 - up))
  }

  /// The next tone down from `note`, or `note` itself; `nil` in the empty set.
  @_noLocks public func tone(atOrBelow note: Int) -> Int? {
    for down in 0..<12 where contains(note - down) { return note - down }
    return nil
  }

  /// The next tone up from `note`, or `note` itself; `nil` in the empty set.
  @_noLocks public func tone(atOrAbove note: Int) -> Int? {
    for up in 0..<12 where contains(note + up) { return note + up }
    return nil
  }

  /// The tone next to a pitch, which is finite; of two as near, the lower. `nil` in the empty set.
  @_noLocks public func tone(nearest note: Double) -> Int? {
    let whole = floorOf(note)
    guard let below = tone(atOrBelow: whole), let above = tone(atOrAbove: whole + 1) else {
      return nil
    }
    return Double(above) - note < note - Double(below) ? above : below
  }

  /// The tone that many steps of the set above `tone`, or below it; `nil` unless `tone` belongs.
  @_noLocks public func tone(after tone: Int, steps: Int) -> Int? {
    guard contains(tone) else { return nil }
    // Whole octaves at once, the rest by walking up.
    let octaves = floorOf(Double(steps) / Double(count))
    var (note, left) = (tone + 12 * octaves, steps - octaves * count)
    while left > 0 {
      note += 1
      if contains(note) { left -= 1 }
    }
    return note
  }

  /// 0 to 11.
  @inline(__always) @_noLocks package static func pitchClass(_ tone: Int) -> Int {
    let rest = tone % 12
    return rest < 0 ? rest + 12 : rest
  }
}
