import DSP

/// A stereo effect that processes sound in place on an audio thread.
///
/// The contract is `BlockProcessor`'s. Dry/wet mix and bypass belong to the rack's link
/// (`EffectLink`). An effect outputs the wet sound, later than the dry by `latencySamples`. Equal
/// channels stay equal.
public protocol Effect: ~Copyable {
  associatedtype Settings: EffectSettings

  /// - Parameter settings: valid ones.
  /// - Allocates: here only.
  init(_ settings: Settings, sampleRateHz: Double)

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

extension Effect where Self: ~Copyable {
  public var latencySamples: Int { @_noLocks get { 0 } }
  public var tailSamples: Int { @_noLocks get { 0 } }
}

/// An effect that processes sample by sample.
public protocol SampleEffect: Effect, ~Copyable {
  /// Processes a sample of each channel.
  @_noLocks mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float>
}

extension SampleEffect where Self: ~Copyable {
  /// `next` is `@_noLocks`, which the compiler can't see through a generic type.
  @_semantics("no_performance_analysis")
  public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    // A local value, so that the optimizer keeps its state in registers.
    var effect = consume self
    for i in 0..<count {
      let sound = effect.next(SIMD2(left[i], right[i]))
      left[i] = sound.x
      right[i] = sound.y
    }
    self = effect
  }
}
