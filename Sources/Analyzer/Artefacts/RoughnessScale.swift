import Foundation
import Synchronization

/// The tables of the roughness model for frames of one length at one rate.
struct RoughnessScale: Sendable {
  static let channelCount = 47

  /// Blackman's taper and the sum of its values.
  let taper: [Double]
  let taperSum: Double
  /// Frequency and place in Bark of each bin, from 0 Hz.
  let frequencyHz: [Double]
  let bark: [Double]
  /// Threshold of hearing in each bin, as a power.
  let threshold: [Double]
  /// Gain of the outer and middle ear in each bin.
  let ear: [Float]
  /// Weights of the envelope's spectrum, by channel and bin.
  let weights: [[Float]]

  private init(frameCount: Int, sampleRateHz: Double) {
    taper = (0..<frameCount).map {
      let angle = 2 * Double.pi * Double($0) / Double(frameCount - 1)
      return 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
    }
    taperSum = taper.reduce(0, +)
    let binHz = sampleRateHz / Double(frameCount)
    frequencyHz = (0...frameCount / 2).map { Double($0) * binHz }
    bark = frequencyHz.map(RoughnessTables.bark.value)
    threshold = bark.map { pow(10, RoughnessTables.thresholdDb.value(at: $0) / 10) }
    ear = bark.map { Float(pow(10, RoughnessTables.earDb.value(at: $0) / 20)) }
    let top = Int(645 / binHz)
    weights = (0..<Self.channelCount).map { channel in
      let curve = RoughnessTables.modulation(channel: channel)
      // The two lowest bins hold the mean and its leakage.
      return (0...top).map { $0 < 2 ? 0 : Float(curve.value(at: Double($0) * binHz)) }
    }
  }

  private struct Key: Hashable {
    var frameCount: Int
    var sampleRateHz: Double
  }

  private static let known = Mutex<[Key: RoughnessScale]>([:])
  private static let mostKnown = 8

  /// Returns the tables; makes them the first time.
  static func shared(frameCount: Int, sampleRateHz: Double) -> RoughnessScale {
    let key = Key(frameCount: frameCount, sampleRateHz: sampleRateHz)
    return known.withLock { known in
      if let scale = known[key] { return scale }
      let scale = RoughnessScale(frameCount: frameCount, sampleRateHz: sampleRateHz)
      if known.count >= mostKnown { known.removeAll() }
      known[key] = scale
      return scale
    }
  }
}
