import DSP

/// What a late engine still holds when its input ends, and where a file of it may end.
///
/// A recording is followed by silence until the engine has given all it holds; of what comes then, the
/// end that no file of 24 bits could show is left out. The result is never shorter than the recording
/// and the stated latency together, so that it lies as late in its file as the engine is.
struct LateSound {
  /// How long the engine is listened to after its input has ended, at most.
  var longestSamples: Int
  /// What it states.
  var latencySamples: Int

  /// Leaves the end of the recording the end of the file.
  static let none = LateSound(longestSamples: 0, latencySamples: 0)

  /// The recording and the silence after it.
  func followed(_ recording: Signal) -> Signal {
    let silence = [Float](repeating: 0, count: longestSamples)
    return Signal(recording.samples + silence, sampleRateHz: recording.sampleRateHz)
  }

  /// Where a file ends that holds all of these sounds, of the length of `followed`.
  func end(of sounds: [[Float]], inputCount: Int) -> Int {
    let least = inputCount + min(latencySamples, longestSamples)
    let last = sounds.compactMap { $0.lastIndex { abs($0) >= Self.smallest } }.max() ?? 0
    return max(least, last + 1)
  }

  /// Half a step of 24 bits.
  private static let smallest: Float = 0x1p-24
}
