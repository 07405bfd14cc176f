import DSP

extension StreamingPitchTracker {
  /// When an estimate is taken to count.
  public enum Clock: String, Codable, Sendable, CaseIterable {
    /// At the instant it speaks of: how right the tracker is.
    case spokenOf
    /// At the instant it was given: what a processor without delay would have known.
    case known
  }

  /// What a streaming tracker would have said of a whole sound, taken in blocks as an audio thread
  /// would: each frame holds the latest estimate at its time.
  ///
  /// For offline use: allocates.
  ///
  /// - Parameter hopSeconds: between frames.
  public static func track(
    _ signal: Signal, _ settings: Settings = Settings(), hopSeconds: Double = 0.005,
    clock: Clock = .spokenOf, blockSize: Int = 256
  ) throws(SettingsError) -> PitchTrack {
    try require("hopMs", hopSeconds * 1000, in: 1...50)
    var tracker = try StreamingPitchTracker(settings, sampleRateHz: signal.sampleRateHz)
    let estimates = tracker.estimates(of: signal, blockSize: blockSize)
    let frameCount = Int(signal.durationSeconds / hopSeconds) + 1
    var track = PitchTrack(
      hopSeconds: hopSeconds, f0Hz: Array(repeating: 0, count: frameCount),
      voicing: Array(repeating: 0, count: frameCount))
    var latest = -1
    for frame in 0..<frameCount {
      let now = Double(frame) * hopSeconds * signal.sampleRateHz
      func counts(_ estimate: PitchEstimate) -> Bool {
        switch clock {
        // The nearest one, for half of the estimates are as much too early as the rest too late.
        case .spokenOf: Double(estimate.timeSamples) <= now + Double(tracker.hopSamples) / 2
        case .known: Double(estimate.timeSamples + estimate.ageSamples) <= now
        }
      }
      while latest + 1 < estimates.count, counts(estimates[latest + 1]) { latest += 1 }
      guard latest >= 0 else { continue }
      track.f0Hz[frame] = estimates[latest].f0Hz
      track.voicing[frame] = estimates[latest].voicing
    }
    return track
  }

  /// All estimates of a sound and, after it, of as much silence as the look-ahead.
  mutating func estimates(of signal: Signal, blockSize: Int) -> [PitchEstimate] {
    precondition(blockSize > 0, "a block holds at least one sample")
    var result: [PitchEstimate] = []
    let tail = [Float](repeating: 0, count: lookAheadSamples + hopSamples)
    let sound = signal.samples + tail
    for start in stride(from: 0, to: sound.count, by: blockSize) {
      process(sound.span.extracting(start..<min(start + blockSize, sound.count)))
      while let estimate = next() { result.append(estimate) }
    }
    return result
  }
}
