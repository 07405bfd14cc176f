import Subjects

/// A running subject with a known additional cost and the same output: a twin processes the first
/// part of the input again, at a lower rate, and its output is discarded.
final class LoadedSound: LiveSound {
  private let source: any LiveSound
  private let twin: any LiveSound
  private let share: Double
  private var owedSamples = 0.0
  /// The twin's input, repeated.
  private var repeated: [Float]
  private var kept = 0
  private var place = 0
  private var discardedOutput: [Float]

  /// Creates a loaded sound.
  ///
  /// - Parameters:
  ///   - twin: another instance of the same subject.
  ///   - share: the additional cost; 0.1 is 10 %.
  ///   - maxSamples: the length of the twin's input; at least one block.
  init(_ source: any LiveSound, twin: any LiveSound, share: Double, maxSamples: Int) {
    (self.source, self.twin, self.share) = (source, twin, share)
    repeated = [Float](repeating: 0, count: maxSamples)
    discardedOutput = repeated
  }

  var latencySamples: Int { source.latencySamples }

  /// Resets the source only. The twin goes on, so that it processes all of a repeated sound in time.
  func reset() { source.reset() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
    keep(input)
    owedSamples += share * Double(input.count)
    while owedSamples >= Double(input.count), kept >= input.count {
      owedSamples -= Double(input.count)
      if place + input.count > kept { place = 0 }
      let (part, sound) = (place..<place + input.count, repeated)
      var target = discardedOutput.mutableSpan
      var discarded = target._mutatingExtracting(0..<input.count)
      twin.process(sound.span.extracting(part), into: &discarded)
      place += input.count
    }
  }

  private func keep(_ input: Span<Float>) {
    let room = min(input.count, repeated.count - kept)
    for i in 0..<room { repeated[kept + i] = input[i] }
    kept += room
  }
}
