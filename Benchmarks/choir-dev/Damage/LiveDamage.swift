import Subjects

/// Counts silent input samples.
struct SilenceCounter {
  private let limit: Int
  private var count = 0

  init(seconds: Double, sampleRateHz: Double) { limit = Int(seconds * sampleRateHz) }

  /// Returns true if this sample is silent and follows at least `seconds` of silence.
  mutating func isOver(after sample: Float) -> Bool {
    count = sample == 0 ? count + 1 : 0
    return count > limit
  }

  mutating func reset() { count = 0 }
}

/// A live sound that returns NaN after silence.
final class BrokenSound: LiveSound {
  private let source: any LiveSound
  private var silence: SilenceCounter

  init(_ source: any LiveSound, _ silence: SilenceCounter) {
    (self.source, self.silence) = (source, silence)
  }

  var latencySamples: Int { source.latencySamples }

  func reset() {
    source.reset()
    silence.reset()
  }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
    for i in 0..<input.count where silence.isOver(after: input[i]) { output[i] = .nan }
  }
}

/// A live sound whose reset does nothing.
final class StaleSound: LiveSound {
  private let source: any LiveSound

  init(_ source: any LiveSound) { self.source = source }

  var latencySamples: Int { source.latencySamples }
  func reset() {}

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
  }
}

/// A live sound that states a latency `more` samples too long.
final class LateSound: LiveSound {
  private let source: any LiveSound
  private let more: Int

  init(_ source: any LiveSound, more: Int) { (self.source, self.more) = (source, more) }

  var latencySamples: Int { source.latencySamples + more }
  func reset() { source.reset() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
  }
}

/// A live sound that allocates an array for each block.
final class AllocatingSound: LiveSound {
  private let source: any LiveSound
  /// Kept, so that the compiler cannot remove the allocation.
  private var copy: [Float] = []

  init(_ source: any LiveSound) { self.source = source }

  var latencySamples: Int { source.latencySamples }
  func reset() { source.reset() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
    copy = [Float](repeating: output.count > 0 ? output[0] : 0, count: input.count)
  }
}
