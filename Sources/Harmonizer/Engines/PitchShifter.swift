/// An engine: makes transposed copies of one voice, all of them from one analysis of it.
///
/// The contract is `BlockProcessor`'s, with several outputs: block boundaries never change them,
/// `reset` equals fresh, nothing allocates or locks after `init`, and they are finite whatever
/// comes in.
public protocol PitchShifter: ~Copyable {
  /// Number of copies.
  var voiceCount: Int { @_noLocks get }

  /// Mean delay from the input to every copy.
  var latencySamples: Int { @_noLocks get }

  /// Forgets the past, and any shift but the first, of pitch and formants.
  @_noLocks mutating func reset()

  /// Moves a copy to another interval above the input, without a click. One beyond
  /// `Engine.shiftRange` is cut to it; one that is not a number changes nothing.
  @_noLocks mutating func setShift(semitones: Double, ofVoice voice: Int)

  /// Gives a copy a pitch of its own, about its shift above the input's; `nil` follows the input by the
  /// shift again, as after `reset`. Engines that only know intervals change nothing.
  @_noLocks mutating func setPitch(hz: Double?, ofVoice voice: Int)

  /// Interval of a copy above the input; negative is below.
  @_noLocks func shiftSemitones(ofVoice voice: Int) -> Double

  /// True if formants can be moved apart from the pitch. Where they can't, `setFormantShift`
  /// changes nothing.
  var movesFormants: Bool { @_noLocks get }

  /// Moves the formants of a copy by another interval, whatever its pitch does, without a click.
  /// One beyond `Engine.formantRange` is cut to it; one that is not a number changes nothing.
  @_noLocks mutating func setFormantShift(semitones: Double, ofVoice voice: Int)

  /// Returns the shift of a copy's formants; negative is below.
  @_noLocks func formantShiftSemitones(ofVoice voice: Int) -> Double

  /// Returns the present delay of a copy.
  @_noLocks func soundingDelaySamples(ofVoice voice: Int) -> Double

  /// Transposes the samples `range` of `input`.
  ///
  /// - Parameter voices: `voiceCount` times as many samples, one copy after the other.
  @_noLocks mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>)

  /// Returns how far each copy is to be shifted over a recording; empty unless the engine only
  /// rehearses.
  func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve]
}

extension PitchShifter where Self: ~Copyable {
  @_noLocks public mutating func setPitch(hz: Double?, ofVoice voice: Int) {}
  public func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] { [] }
}
