import DSP

/// The sound that an engine with latency still holds when its input ends, and the end of its file.
///
/// Silence follows the recording until the engine has returned everything. The end of that is cut where
/// it is below the resolution of a 24-bit file. The result is never shorter than the recording plus the
/// stated latency, so that the file is as late as the engine.
struct LateSound {
  /// Longest time that the engine runs on after its input has ended.
  var longestSamples: Int
  /// The engine's stated latency.
  var latencySamples: Int

  /// A file that ends with the recording.
  static let none = LateSound(longestSamples: 0, latencySamples: 0)

  /// Returns the recording followed by silence.
  func followed(_ recording: Signal) -> Signal {
    let silence = [Float](repeating: 0, count: longestSamples)
    return Signal(recording.samples + silence, sampleRateHz: recording.sampleRateHz)
  }

  /// Returns the length of a file that holds all of these sounds, which are as long as `followed`.
  func end(of sounds: [[Float]], inputCount: Int) -> Int {
    let least = inputCount + min(latencySamples, longestSamples)
    let last = sounds.compactMap { $0.lastIndex { abs($0) >= Self.smallest } }.max() ?? 0
    return max(least, last + 1)
  }

  /// Half a step of a 24-bit sample.
  private static let smallest: Float = 0x1p-24
}
