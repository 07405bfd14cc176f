import DSP
import Effects

/// A link of a rack as a mono processor, for tests of the processor contract: both channels get the
/// input, and the left is the output.
struct OneChannel: BlockProcessor, ~Copyable {
  private let link: EffectLink
  private let other = UnsafeMutableBufferPointer<Float>.allocate(capacity: OneChannel.longest)

  /// Ten seconds at 192 kHz.
  private static let longest = 1_920_000

  /// Makes a link without dry sound.
  init(_ settings: some EffectSettings, sampleRateHz: Double = 48_000) throws {
    link = try EffectLink(settings, mix: 1, sampleRateHz: sampleRateHz)
  }

  deinit { other.deallocate() }

  var latencySamples: Int {
    @_semantics("no_performance_analysis") get { link.latencySamples }
  }

  @_semantics("no_performance_analysis") mutating func reset() { link.reset() }

  @_semantics("no_performance_analysis")
  mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    let count = input.count
    precondition(count <= other.count, "no room for the other channel")
    var right = unsafe MutableSpan(_unsafeElements: other.extracting(..<count))
    for i in 0..<count {
      output[i] = input[i]
      right[i] = input[i]
    }
    link.process(&output, &right)
  }
}
