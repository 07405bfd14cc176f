import DSP

extension Signal {
  /// White noise, uniform over a range of `width` around 0.
  public static func noise(
    count: Int = 48_000, width: Double = 1, seed: UInt64, sampleRateHz: Double = 48_000
  ) -> Signal {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<count).map { _ in Float(width * (random.uniform() - 0.5)) }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }

  /// The sound after some samples of silence; what would make it longer is cut off.
  public func late(samples late: Int, gain: Float = 1) -> Signal {
    Signal(
      [Float](repeating: 0, count: min(late, count)) + samples.dropLast(late).map { gain * $0 },
      sampleRateHz: sampleRateHz)
  }
}
