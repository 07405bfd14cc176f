/// A mono processor for an audio thread.
///
/// The contract, which the conformance checker in `Tests/ProcessorConformance` tests:
/// block boundaries never change the output; `reset` equals a fresh processor; the stated latency
/// is the measured one; the output is finite whatever comes in; `process` never allocates, locks,
/// logs, throws or blocks.
public protocol BlockProcessor: ~Copyable {
  /// Mean delay from input to output.
  var latencySamples: Int { get }

  /// Forgets the past, as if just created.
  mutating func reset()

  /// Writes one sample of output for each of input. The counts are equal.
  @_noLocks mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>)
}

extension BlockProcessor where Self: ~Copyable {
  /// The output for a whole signal, taken in blocks as an audio thread would.
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
