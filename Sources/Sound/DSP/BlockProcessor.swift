/// A mono processor for an audio thread.
///
/// The contract, which `Tests/ProcessorConformance` checks: block boundaries don't change the
/// output; `reset` equals a new processor; the stated latency is the measured one; the output is
/// finite for any input; `process` doesn't allocate, lock, log, throw or block.
public protocol BlockProcessor: ~Copyable {
  /// The mean delay from input to output.
  var latencySamples: Int { get }

  /// Clears the past, as in a new processor.
  mutating func reset()

  /// Writes one output sample for each input sample; the counts are equal.
  @_noLocks mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>)
}

extension BlockProcessor where Self: ~Copyable {
  /// The output for a whole signal, processed in blocks as on an audio thread.
  ///
  /// For offline use: allocates the output.
  public mutating func render(_ input: [Float], blockSize: Int = 128) -> [Float] {
    precondition(blockSize > 0, "a block holds at least one sample")
    var output = [Float](repeating: 0, count: input.count)
    let source = input.span
    var target = output.mutableSpan
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let block = start..<min(start + blockSize, input.count)
      var part = target._mutatingExtracting(block)
      process(source.extracting(block), into: &part)
    }
    return output
  }
}
