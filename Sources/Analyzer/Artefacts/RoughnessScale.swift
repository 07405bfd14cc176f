import DSP
import Foundation

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
  /// Weights of the envelope's spectrum, by channel and bin, once it is decimated.
  let weights: [[Float]]
  /// Samples of a frame per value of a decimated envelope.
  let step: Int
  /// The decimating filter, four coefficients at a time; each stands twice, for two channels.
  let taps: [SIMD8<Float>]

  /// Order of the decimating filter.
  private static let order = 3

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
    // Only rates up to 645 Hz count. Three moving means have their zeros where others would be
    // folded onto these, so a depth changes by 2e-5 at most.
    let step = frameCount >= 8000 && frameCount % 10 == 0 ? 10 : 2
    self.step = step
    taps = Self.taps(step: step)
    let top = Int(645 / binHz)
    let gains = (0...top).map { bin -> Double in
      guard bin > 0 else { return 1 }
      let angle = Double.pi * Double(bin) / Double(frameCount)
      return pow(sin(Double(step) * angle) / (Double(step) * sin(angle)), Double(Self.order))
    }
    weights = (0..<Self.channelCount).map { channel in
      let curve = RoughnessTables.modulation(channel: channel)
      // The two lowest bins hold the mean and its leakage.
      return (0...top).map { bin in
        bin < 2 ? 0 : Float(curve.value(at: Double(bin) * binHz) / gains[bin])
      }
    }
  }

  /// Moving means over `step` samples, as many as the filter's order, one after the other.
  private static func taps(step: Int) -> [SIMD8<Float>] {
    var shape = [1.0]
    for _ in 0..<order {
      var wider = [Double](repeating: 0, count: shape.count + step - 1)
      for (place, value) in shape.enumerated() {
        for late in 0..<step { wider[place + late] += value / Double(step) }
      }
      shape = wider
    }
    return stride(from: 0, to: shape.count, by: 4).map { first in
      var four = SIMD8<Float>.zero
      for place in first..<min(first + 4, shape.count) {
        four[2 * (place - first)] = Float(shape[place])
        four[2 * (place - first) + 1] = Float(shape[place])
      }
      return four
    }
  }

  private static let known = TableCache<[Double], RoughnessScale>()

  /// Returns the tables; makes them the first time.
  static func shared(frameCount: Int, sampleRateHz: Double) -> RoughnessScale {
    known([Double(frameCount), sampleRateHz]) {
      RoughnessScale(frameCount: frameCount, sampleRateHz: sampleRateHz)
    }
  }
}
