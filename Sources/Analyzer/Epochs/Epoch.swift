import DSP

/// A mark that separates the periods of a sound.
public struct Epoch: Equatable, Sendable, BitwiseCopyable {
  /// Position in input samples from the first; may be fractional.
  public var timeSamples: Double
  /// Distance from the previous mark, which is the period if both are voiced.
  public var spacingSamples: Double
  /// True for a mark of a voice's period, false for a regular step between voices.
  public var isVoiced: Bool

  @_noLocks public init(timeSamples: Double, spacingSamples: Double, isVoiced: Bool) {
    self.timeSamples = timeSamples
    self.spacingSamples = spacingSamples
    self.isVoiced = isVoiced
  }
}

extension EpochTracker {
  /// Returns the marks of a whole sound, processed in blocks as on an audio thread. Marks that
  /// would need sound beyond its end are missing.
  ///
  /// For offline use: allocates.
  public mutating func epochs<Sound: SoundSource>(
    in sound: Sound, blockSize: Int = 256
  ) throws(Sound.Failure) -> [Epoch] {
    precondition(blockSize > 0, "a block holds at least one sample")
    var result: [Epoch] = []
    let length = max(1, (1 << 16) / blockSize) * blockSize
    for start in stride(from: 0, to: sound.count, by: length) {
      let samples = try sound.samples(start..<min(start + length, sound.count))
      for first in stride(from: 0, to: samples.count, by: blockSize) {
        process(samples.span.extracting(first..<min(first + blockSize, samples.count)))
        while let mark = next() { result.append(mark) }
      }
    }
    return result
  }
}
