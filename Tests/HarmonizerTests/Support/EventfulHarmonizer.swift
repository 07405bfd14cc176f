import DSP

@testable import Harmonizer

/// A harmonizer to which something happens at a steady interval, whatever the blocks.
struct EventfulHarmonizer: BlockProcessor, ~Copyable {
  private var harmonizer: Harmonizer
  private let everySamples: Int
  private let happen: (inout Harmonizer, Int) -> Void
  private var now = 0

  /// - Parameter happen: called with the sample that comes next.
  init(
    _ settings: Harmonizer.Settings, everySamples: Int,
    _ happen: @escaping (inout Harmonizer, Int) -> Void
  ) throws {
    harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
    self.everySamples = everySamples
    self.happen = happen
  }

  var latencySamples: Int { harmonizer.latencySamples }

  @_noLocks mutating func reset() {
    harmonizer.reset()
    now = 0
  }

  /// Slicing a span takes no lock, but the compiler can't tell.
  @_semantics("no_performance_analysis")
  mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    var at = 0
    while at < input.count {
      if now % everySamples == 0 { happen(&harmonizer, now) }
      let end = min(input.count, at + everySamples - now % everySamples)
      var part = output._mutatingExtracting(at..<end)
      harmonizer.process(input.extracting(at..<end), into: &part)
      now += end - at
      at = end
    }
  }
}

extension Harmonizer {
  /// Renders in one block; returns the mix, and the stem of each voice.
  mutating func renderStems(_ input: [Float]) -> (mix: [Float], stems: [[Float]]) {
    let count = input.count
    var mix = [Float](repeating: 0, count: count)
    var stems = [Float](repeating: 0, count: voiceCount * count)
    var mixSpan = mix.mutableSpan
    var stemSpan = stems.mutableSpan
    process(input.span, into: &mixSpan, stems: &stemSpan)
    return (mix, (0..<voiceCount).map { Array(stems[$0 * count..<($0 + 1) * count]) })
  }
}
