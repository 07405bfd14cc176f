import DSP

/// Plays the unit in a `CrossfadingSlot`: what every rack of units does where sound is.
open class SlotPlayer: BlockProcessor, @unchecked Sendable {
  package let sound: CrossfadingSlot

  package init(_ unit: StereoUnit, sampleRateHz: Double) {
    sound = CrossfadingSlot(unit, sampleRateHz: sampleRateHz)
  }

  /// Delay of the sound that was last asked for.
  open var latencySamples: Int { 0 }

  /// Releases what the audio thread is done with. Call it where control is.
  public func collect() { sound.collect() }

  // MARK: Where sound is

  /// Forgets the past.
  open func reset() { sound.reset() }

  /// Processes both channels, which have the same count, in place.
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    sound.process(&left, &right)
  }

  /// Processes a whole sound in place, in blocks as on an audio thread. For offline use.
  public func process(_ left: inout [Float], _ right: inout [Float], blockSize: Int) {
    sound.process(&left, &right, blockSize: blockSize)
  }

  /// Processes a voice in the middle; writes the mean of both channels.
  @_semantics("no_performance_analysis")
  public func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    sound.process(input, into: &output)
  }
}
