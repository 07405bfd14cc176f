/// An engine: makes transposed copies of one voice, all of them from one analysis of it.
///
/// The contract is `BlockProcessor`'s, with several outputs: block boundaries never change them,
/// `reset` equals a new engine, nothing allocates or locks after `init`, and they are finite for any
/// input.
public protocol PitchShifter: ~Copyable {
  /// Number of copies.
  var voiceCount: Int { @_noLocks get }

  /// Mean delay from the input to every copy.
  var latencySamples: Int { @_noLocks get }

  /// Clears the past, and any shift but the first, of pitch and formants.
  @_noLocks mutating func reset()

  /// Moves a copy to another interval above the input, without a click. It is limited to
  /// `Engine.shiftRange`; NaN changes nothing.
  @_noLocks mutating func setShift(semitones: Double, ofVoice voice: Int)

  /// Gives a copy a pitch of its own, about its shift above the input's; `nil` follows the input by the
  /// shift again, as after `reset`. Engines that only know intervals change nothing.
  @_noLocks mutating func setPitch(hz: Double?, ofVoice voice: Int)

  /// Moves the formants of a copy by another interval, whatever its pitch does, without a click. It is
  /// limited to `Engine.formantRange`; NaN changes nothing. Engines whose formants go with the pitch
  /// change nothing.
  @_noLocks mutating func setFormantShift(semitones: Double, ofVoice voice: Int)

  /// Returns the present state of a copy.
  @_noLocks func state(ofVoice voice: Int) -> ShiftedVoice

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
  @_noLocks public mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {}
  public func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] { [] }
}

/// The state of a transposed copy.
public struct ShiftedVoice: BitwiseCopyable, Sendable {
  /// Interval above the input; negative is below.
  public var shiftSemitones: Double
  /// Shift of the formants; negative is below.
  public var formantShiftSemitones: Double
  /// Present delay.
  public var delaySamples: Double
  /// Age of the sound that a new shift moves.
  public var steeredDelaySamples: Double

  @_noLocks init(
    shiftSemitones: Double, formantShiftSemitones: Double = 0, delaySamples: Double,
    steeredDelaySamples: Double? = nil
  ) {
    (self.shiftSemitones, self.delaySamples) = (shiftSemitones, delaySamples)
    self.formantShiftSemitones = formantShiftSemitones
    self.steeredDelaySamples = steeredDelaySamples ?? delaySamples
  }
}
