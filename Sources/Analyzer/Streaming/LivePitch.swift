import DSP

extension StreamingPitchTracker {
  /// The time at which an estimate counts.
  public enum Clock: String, Codable, Sendable, CaseIterable {
    /// The instant that the estimate describes: the accuracy of the tracker.
    case spokenOf
    /// The instant at which the estimate arrived: the knowledge of a processor without delay.
    case known
  }

  /// Tracks a whole sound in blocks, as on an audio thread: each frame holds the latest estimate at
  /// its time.
  ///
  /// For offline use: allocates.
  ///
  /// - Parameter hopSeconds: time between frames.
  public static func track(
    _ signal: Signal, _ settings: Settings = Settings(), hopSeconds: Double = 0.005,
    clock: Clock = .spokenOf, blockSize: Int = 256
  ) throws(SettingsError) -> PitchTrack {
    try require("hopMs", hopSeconds * 1000, in: 1...50)
    let tracker = try StreamingPitchTracker(settings, sampleRateHz: signal.sampleRateHz)
    return tracker.track(signal, hopSeconds: hopSeconds, clock: clock, blockSize: blockSize)
  }

  /// Tracks a sound in the same way while reading it once, in order.
  public static func track(
    of sound: some SoundSource, _ settings: Settings = Settings(), hopSeconds: Double = 0.005
  ) throws -> PitchTrack {
    try require("hopMs", hopSeconds * 1000, in: 1...50)
    let tracker = try StreamingPitchTracker(settings, sampleRateHz: sound.sampleRateHz)
    return try tracker.track(sound, hopSeconds: hopSeconds, clock: .spokenOf, blockSize: 256)
  }

  private consuming func track<Sound: SoundSource>(
    _ sound: Sound, hopSeconds: Double, clock: Clock, blockSize: Int
  ) throws(Sound.Failure) -> PitchTrack {
    let frameCount = Int(sound.durationSeconds / hopSeconds) + 1
    var track = PitchTrack(
      hopSeconds: hopSeconds, f0Hz: Array(repeating: 0, count: frameCount),
      voicing: Array(repeating: 0, count: frameCount))
    var latest: PitchEstimate?
    var frame = 0
    let halfHop = Double(hopSamples) / 2
    func fill(until isNews: (Double) -> Bool) {
      while frame < frameCount, !isNews(Double(frame) * hopSeconds * sound.sampleRateHz) {
        track.f0Hz[frame] = latest?.f0Hz ?? 0
        track.voicing[frame] = latest?.voicing ?? 0
        frame += 1
      }
    }
    try forEachEstimate(of: sound, blockSize: blockSize) { estimate in
      fill { now in
        switch clock {
        // The nearest estimate, since half of them are as much too early as the others too late.
        case .spokenOf: Double(estimate.timeSamples) <= now + halfHop
        case .known: Double(estimate.timeSamples + estimate.ageSamples) <= now
        }
      }
      latest = estimate
    }
    fill { _ in false }
    return track
  }

  /// Returns all estimates of a sound followed by a look-ahead of silence.
  mutating func estimates(of signal: Signal, blockSize: Int) -> [PitchEstimate] {
    var result: [PitchEstimate] = []
    forEachEstimate(of: signal, blockSize: blockSize) { result.append($0) }
    return result
  }

  private mutating func forEachEstimate<Sound: SoundSource>(
    of sound: Sound, blockSize: Int, _ body: (PitchEstimate) -> Void
  ) throws(Sound.Failure) {
    precondition(blockSize > 0, "a block holds at least one sample")
    let end = sound.count + lookAheadSamples + hopSamples
    let length = max(1, (1 << 16) / blockSize) * blockSize
    for start in stride(from: 0, to: end, by: length) {
      let samples = try sound.paddedSamples(start..<min(start + length, end))
      for first in stride(from: 0, to: samples.count, by: blockSize) {
        process(samples.span.extracting(first..<min(first + blockSize, samples.count)))
        while let estimate = next() { body(estimate) }
      }
    }
  }
}
