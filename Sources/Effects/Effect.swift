import DSP

/// An effect: changes sound of two channels in place, on an audio thread.
///
/// The contract is `BlockProcessor`'s. Dry/wet mix and on/off are not its business: the link of the
/// rack that holds it (`EffectLink`) does them for all effects alike. An effect gives the wet sound,
/// later than the dry by `latencySamples`. A voice in the middle is the same in both channels.
public protocol Effect: ~Copyable {
  associatedtype Settings: EffectSettings

  /// - Allocates: here only.
  init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError)

  /// Delay of what the effect means to pass; what it repeats later (an echo, a room) is its tail.
  var latencySamples: Int { @_noLocks get }

  /// How long after the last input sample the output stays above -60 dB of it, at most; a bound that
  /// follows from the settings.
  var tailSamples: Int { @_noLocks get }

  /// Forgets the past, as if just created with the settings it has now.
  @_noLocks mutating func reset()

  /// Moves to other settings while sound runs, without a click; to settings that `validate` refuses
  /// it must not be moved. May cost some transcendental functions, not more.
  @_noLocks mutating func apply(_ settings: Settings)

  /// Both have the same count.
  @_noLocks mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>)
}
