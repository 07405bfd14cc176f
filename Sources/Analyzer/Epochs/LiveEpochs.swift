import DSP

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
