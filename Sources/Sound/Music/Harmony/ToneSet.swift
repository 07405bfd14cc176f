import DSP

/// A set of pitch classes in twelve bits: a scale or a chord for the audio thread.
///
/// Classes count from C or from a tonic, as the caller chooses; `transposed` converts between them.
/// Tones are MIDI key numbers of any size and sign.
public struct ToneSet: Hashable, Sendable, BitwiseCopyable {
  /// Bit `n` is set if the class `n`, 0 to 11, belongs to the set.
  public let bits: UInt16

  @_noLocks public init(bits: UInt16) { self.bits = bits & 0xfff }

  /// - Parameter tones: in any octave.
  public init(_ tones: some Sequence<Int>) {
    bits = tones.reduce(0) { $0 | 1 << UInt16(Self.pitchClass($1)) }
  }

  /// All twelve pitch classes.
  public static var chromatic: ToneSet { @_noLocks get { ToneSet(bits: 0xfff) } }

  public var count: Int { @_noLocks get { bits.nonzeroBitCount } }

  public var isEmpty: Bool { @_noLocks get { bits == 0 } }

  @_noLocks public func contains(_ tone: Int) -> Bool {
    bits >> UInt16(Self.pitchClass(tone)) & 1 == 1
  }

  /// Returns the set, raised by a number of semitones.
  @_noLocks public func transposed(by semitones: Int) -> ToneSet {
    let up = UInt16(Self.pitchClass(semitones))
    return ToneSet(bits: bits << up | bits >> (12 - up))
  }

  /// Returns `note` or the next tone below it; `nil` for the empty set.
  @_noLocks public func tone(atOrBelow note: Int) -> Int? {
    for down in 0..<12 where contains(note - down) { return note - down }
    return nil
  }

  /// Returns `note` or the next tone above it; `nil` for the empty set.
  @_noLocks public func tone(atOrAbove note: Int) -> Int? {
    for up in 0..<12 where contains(note + up) { return note + up }
    return nil
  }

  /// Returns the tone nearest to a finite pitch, halfway the lower; `nil` for the empty set.
  @_noLocks public func tone(nearest note: Double) -> Int? {
    let whole = floorOf(note)
    guard let below = tone(atOrBelow: whole), let above = tone(atOrAbove: whole + 1) else {
      return nil
    }
    return Double(above) - note < note - Double(below) ? above : below
  }

  /// Returns the tone a number of steps above `tone`, or below it; `nil` if `tone` is not in the set.
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

  /// Returns the class of a tone, 0 to 11.
  @inline(__always) @_noLocks package static func pitchClass(_ tone: Int) -> Int {
    let rest = tone % 12
    return rest < 0 ? rest + 12 : rest
  }
}
