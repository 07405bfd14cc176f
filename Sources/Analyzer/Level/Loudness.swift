import DSP
import Foundation

extension Level {
  /// Gains of channels whose places are known from their number only: surround sound of five channels, or
  /// of six, of which the fourth, for low effects, does not count.
  static func gains(ofChannels count: Int) -> [Double] {
    switch count {
    case 5: [1, 1, 1, 1.41, 1.41]
    case 6: [1, 1, 1, 0, 1.41, 1.41]
    default: Array(repeating: 1, count: count)
    }
  }

  /// Returns the weighted sum of the channels' powers in each step.
  static func summed(_ powers: [[Double]], gains: [Double]) -> [Double] {
    precondition(gains.count == powers.count, "one gain per channel")
    var sums = [Double](repeating: 0, count: powers.first?.count ?? 0)
    for (channel, gain) in zip(powers, gains) {
      for (step, power) in channel.enumerated() { sums[step] += gain * power }
    }
    return sums
  }

  /// - Parameter stepPowers: the weighted power of each 100 ms, summed over channels.
  static func integratedLufs(ofSteps stepPowers: [Double]) -> Double? {
    guard stepPowers.count >= 4 else { return nil }
    let blocks = (0...stepPowers.count - 4).map { start in
      stepPowers[start..<start + 4].reduce(0, +) / 4
    }
    guard let loudEnough = mean(blocks.filter { lufs($0) > -70 }) else { return nil }
    return mean(blocks.filter { lufs($0) > max(-70, lufs(loudEnough) - 10) }).map(lufs)
  }

  private static func lufs(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}

// The standard tabulates both filters for 48 kHz only. These are the analogue filters behind
// the tables, brought to any rate by the bilinear transform, as derived by Mansbridge, Finn and
// Reiss, "Implementation and evaluation of autonomous multi-track fader control", AES 132,
// 2012, and used by libebur128.
extension Biquad<Double> {
  /// The first stage: a treble shelf of 4 dB, the effect of the head.
  static func preFilter(sampleRateHz: Double) -> Biquad {
    let (cornerHz, gainDb, q) = (1681.974450955533, 3.999843853973347, 0.7071752369554196)
    let k = tan(.pi * cornerHz / sampleRateHz)
    let high = pow(10, gainDb / 20)
    let middle = pow(high, 0.4996667741545416)
    let a0 = 1 + k / q + k * k
    return Biquad(
      b0: (high + middle * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0,
      b2: (high - middle * k / q + k * k) / a0, a1: 2 * (k * k - 1) / a0,
      a2: (1 - k / q + k * k) / a0)
  }

  /// The second stage: a high-pass filter at 38 Hz.
  static func rlbFilter(sampleRateHz: Double) -> Biquad {
    let (cornerHz, q) = (38.13547087602444, 0.5003270373238773)
    let k = tan(.pi * cornerHz / sampleRateHz)
    let a0 = 1 + k / q + k * k
    return Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }
}

/// The K-weighted mean square of one channel in each step of 100 ms, accumulated block by block.
struct LoudnessSteps {
  private(set) var powers: [Double] = []
  private let rateHz: Double
  private var head: Biquad<Double>
  private var bass: Biquad<Double>
  private var energy = 0.0
  private var taken = 0
  private var (start, end) = (0, 0)

  init(sampleRateHz: Double) {
    rateHz = sampleRateHz
    head = .preFilter(sampleRateHz: rateHz)
    bass = .rlbFilter(sampleRateHz: rateHz)
    end = boundary(1)
  }

  mutating func take(_ block: [Float]) {
    for sample in block {
      let weighted = bass.next(head.next(Double(sample)))
      energy += weighted * weighted
      taken += 1
      guard taken == end else { continue }
      powers.append(energy / Double(end - start))
      energy = 0
      start = end
      end = boundary(powers.count + 1)
    }
  }

  private func boundary(_ step: Int) -> Int { Int((Double(step) * rateHz / 10).rounded()) }
}
