import DSP

/// The sound that an engine with latency still holds when its input ends, and the end of its file.
///
/// Silence follows the recording until the engine has returned everything. The end of that is cut where
/// it is below the resolution of a 24-bit file. The result is never shorter than the recording plus the
/// stated latency, so that the file is as late as the engine.
package struct LateSound {
  /// Longest time that the engine runs on after its input has ended.
  package var longestSamples: Int
  /// The engine's stated latency.
  package var latencySamples: Int

  package init(longestSamples: Int, latencySamples: Int) {
    (self.longestSamples, self.latencySamples) = (longestSamples, latencySamples)
  }

  /// A file that ends with the recording.
  package static let none = LateSound(longestSamples: 0, latencySamples: 0)

  /// Returns the recording followed by silence.
  package func followed(_ recording: Signal) -> Signal {
    let silence = [Float](repeating: 0, count: longestSamples)
    return Signal(recording.samples + silence, sampleRateHz: recording.sampleRateHz)
  }

  /// Returns the length of a file that holds all of these sounds, which are as long as `followed`.
  package func end(of sounds: [[Float]], inputCount: Int) -> Int {
    let least = inputCount + min(latencySamples, longestSamples)
    let last = sounds.compactMap { $0.lastIndex { abs($0) >= Self.smallest } }.max() ?? 0
    return max(least, last + 1)
  }

  /// Half a step of a 24-bit sample.
  private static let smallest: Float = 0x1p-24
}
