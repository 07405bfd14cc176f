import DSP

/// Plays the unit of a `CrossfadingSlot`: the common audio part of racks.
open class SlotPlayer: BlockProcessor, @unchecked Sendable {
  package let sound: CrossfadingSlot

  package init(_ unit: StereoUnit, sampleRateHz: Double) {
    sound = CrossfadingSlot(unit, sampleRateHz: sampleRateHz)
  }

  /// The delay of the sound last set.
  open var latencySamples: Int { 0 }

  /// Releases what the audio thread has finished with. Call it on the control thread.
  public func collect() { sound.collect() }

  // MARK: Audio thread

  /// Clears the past.
  open func reset() { sound.reset() }

  /// Processes both channels, which have the same count, in place.
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    sound.process(&left, &right)
  }

  /// Processes a whole sound in place, in blocks as on an audio thread. For offline use.
  public func process(_ left: inout [Float], _ right: inout [Float], blockSize: Int) {
    sound.process(&left, &right, blockSize: blockSize)
  }

  /// Processes mono sound; writes the mean of both channels.
  @_semantics("no_performance_analysis")
  public func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    sound.process(input, into: &output)
  }
}
