import Foundation

/// A room as its impulse response: the direct sound at sample 0 and, 3 ms later, Gaussian noise
/// that falls by 60 dB in `rt60S`.
///
/// The direct sound keeps its level; the tail's energy is exactly `directDb` below it. The late
/// reverberation of real rooms is such noise. Single early reflections are left out.
///
/// - Source: Polack's model, as in Kuttruff, "Room Acoustics", 2009; Moorer, "About this
///   reverberation business", Computer Music Journal 3(2), 1979.
public struct Room: Hashable, Sendable {
  /// Time in which the tail falls by 60 dB, in seconds.
  public var rt60S: Double
  /// Energy of the direct sound over that of the tail, in decibels.
  public var directDb = 5.0
  public var seed: UInt64 = 1

  /// Time from the direct sound to the tail.
  static let predelaySeconds = 0.003

  /// Returns the response up to where the tail has fallen by 90 dB.
  public func impulseResponse(sampleRateHz: Double) -> [Float] {
    let start = Int(Self.predelaySeconds * sampleRateHz)
    let count = Int(1.5 * rt60S * sampleRateHz)
    // 60 dB are a factor of a thousand in amplitude.
    let rate = log(1000) / (rt60S * sampleRateHz)
    let noise = NoiseColour.white.samples(
      count: count, sampleRateHz: sampleRateHz, rms: 1, seed: seed)
    let tail = noise.enumerated().map { Double($1) * exp(-rate * Double($0)) }
    let energy = tail.reduce(0) { $0 + $1 * $1 }
    let gain = (pow(10, -directDb / 10) / energy).squareRoot()
    return [1] + [Float](repeating: 0, count: start - 1) + tail.map { Float($0 * gain) }
  }
}
