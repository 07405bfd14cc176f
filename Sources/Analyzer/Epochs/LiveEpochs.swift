import DSP

extension EpochTracker {
  /// The marks of a whole sound, taken in blocks as an audio thread would; those that wait for
  /// sound beyond its end are not given.
  ///
  /// For offline use: allocates.
  public mutating func epochs(in signal: Signal, blockSize: Int = 256) -> [Epoch] {
    precondition(blockSize > 0, "a block holds at least one sample")
    var result: [Epoch] = []
    for start in stride(from: 0, to: signal.count, by: blockSize) {
      let end = min(start + blockSize, signal.count)
      process(signal.samples.span.extracting(start..<end))
      while let mark = next() { result.append(mark) }
    }
    return result
  }
}
