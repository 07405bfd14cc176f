import DSP

/// A stereo effect that processes sound in place on an audio thread.
///
/// The contract is `BlockProcessor`'s. Dry/wet mix and bypass belong to the rack's link
/// (`EffectLink`). An effect outputs the wet sound, later than the dry by `latencySamples`. Equal
/// channels stay equal.
public protocol Effect: ~Copyable {
  associatedtype Settings: EffectSettings

  /// - Allocates: here only.
  init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError)

  /// The delay of the direct sound; later repetitions such as echoes or reverberation are the tail.
  var latencySamples: Int { @_noLocks get }

  /// The time after the last input sample until the output stays below -60 dB of it: an upper bound
  /// that follows from the settings.
  var tailSamples: Int { @_noLocks get }

  /// Clears the past, as in a new effect with the current settings.
  @_noLocks mutating func reset()

  /// Moves to other settings without a click; they must be valid. Costs at most a few
  /// transcendental functions.
  @_noLocks mutating func apply(_ settings: Settings)

  /// Processes both channels in place; they have the same count.
  @_noLocks mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>)
}
