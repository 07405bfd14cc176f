import DSP

/// The final estimate of a streaming tracker for one instant.
public struct PitchEstimate: Equatable, Sendable, BitwiseCopyable {
  /// The instant, in samples of the input from the first.
  public var timeSamples: Int
  /// Age of the estimate: the number of samples processed after its instant, always equal to the
  /// stated look-ahead.
  public var ageSamples: Int
  /// Fundamental frequency; 0 if unvoiced.
  public var f0Hz: Double
  /// Probability of a voice.
  public var voicing: Double
  /// Standard deviation of the pitch because another candidate period may be right; 0 if unvoiced.
  public var uncertaintyCents: Double

  @_noLocks init(
    timeSamples: Int, ageSamples: Int, f0Hz: Double, voicing: Double, uncertaintyCents: Double
  ) {
    self.timeSamples = timeSamples
    self.ageSamples = ageSamples
    self.f0Hz = f0Hz
    self.voicing = voicing
    self.uncertaintyCents = uncertaintyCents
  }

  /// The initial estimate, unvoiced at time 0.
  static var none: PitchEstimate {
    @_noLocks get {
      PitchEstimate(timeSamples: 0, ageSamples: 0, f0Hz: 0, voicing: 0, uncertaintyCents: 0)
    }
  }
}

extension StreamingPitchTracker {
  /// Tracks a whole sound in blocks, as on an audio thread, while reading it once, in order. Each
  /// frame holds the estimate of the nearest instant.
  ///
  /// For offline use: allocates.
  ///
  /// - Parameter hopSeconds: time between frames.
  public static func track<Sound: SoundSource>(
    of sound: Sound, _ settings: Settings = Settings(), hopSeconds: Double = 0.005
  ) throws -> PitchTrack {
    try require("hopMs", hopSeconds * 1000, in: 1...50)
    var tracker = try StreamingPitchTracker(settings, sampleRateHz: sound.sampleRateHz)
    let frameCount = Int(sound.durationSeconds / hopSeconds) + 1
    var track = PitchTrack(
      hopSeconds: hopSeconds, f0Hz: Array(repeating: 0, count: frameCount),
      uncertaintyCents: Array(repeating: nil, count: frameCount))
    var latest: PitchEstimate?
    var frame = 0
    let halfHop = Double(tracker.hopSamples) / 2
    func fill(until isNews: (Double) -> Bool) {
      while frame < frameCount, !isNews(Double(frame) * hopSeconds * sound.sampleRateHz) {
        track.f0Hz[frame] = latest?.f0Hz ?? 0
        track.voicing[frame] = latest?.voicing ?? 0
        if let latest, latest.f0Hz > 0 { track.uncertaintyCents[frame] = latest.uncertaintyCents }
        frame += 1
      }
    }
    try tracker.forEachEstimate(of: sound, blockSize: 256) { estimate in
      // The nearest estimate, since half of them are as much too early as the others too late.
      fill { now in Double(estimate.timeSamples) <= now + halfHop }
      latest = estimate
    }
    fill { _ in false }
    return track
  }

  /// Passes on all estimates of a sound followed by a look-ahead of silence.
  mutating func forEachEstimate<Sound: SoundSource>(
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
