import DSP
import Foundation
import Statistics

/// The depth of loudness modulation at one known rate, such as the sweep rate of a delay line:
/// `abs(1 - ratio) * 1000 / windowMs` Hz.
///
/// The logarithm of the loudness is correlated with a sine at the rate, over stretches of ten of
/// its periods that are loud throughout. Modulation at neighbouring rates (0.6, 0.7, 1.3 and 1.4
/// times) counts as the voice's own and is subtracted as power. The sine's phase is free in each
/// stretch.
///
/// - Domain: rates from 0.5 to 200 Hz other than the pitch and its simple fractions, where the
///   glottal pulses modulate the loudness themselves. A quarter of the lowest pitch and below is
///   safe.
/// - Cost: under 0.01 of real time at 48 kHz and 50 Hz. Allocates.
public struct Tremolo: Codable, Equatable, Sendable {
  public var rateHz: Double
  /// Depth from crest to trough, beyond that at neighbouring rates; root mean square over
  /// stretches.
  public var depthDb: Double
  /// Depth at neighbouring rates; depths well below it can't be measured.
  public var floorDb: Double
  /// Number of stretches measured, of ten periods each.
  public var stretchCount: Int

  /// - Parameter rateHz: 0.5 to 200.
  public init(of signal: Signal, rateHz: Double) throws(Unmeasurable) {
    try signal.checkedForArtefacts()
    guard 0.5...200 ~= rateHz else {
      throw Unmeasurable(.outOfRange, "the tremolo rate is \(rateHz) Hz; choose 0.5 to 200 Hz")
    }
    let needed = Self.periods / rateHz
    guard signal.durationSeconds >= needed else {
      throw .tooShort(seconds: signal.durationSeconds, neededSeconds: needed)
    }
    let envelope = TremoloEnvelope(of: signal, rateHz: rateHz)
    let length = Int((needed / envelope.stepSeconds).rounded())
    let taper = Window.hann.samples(length)
    let phasors = ([1.0] + Self.neighbours).map { Phasor($0 * rateHz, envelope, taper) }
    var (power, floor, count) = (0.0, 0.0, 0)
    for start in stride(from: 0, through: envelope.levelsDb.count - length, by: length / 2) {
      let stretch = Array(envelope.levelsDb[start..<start + length])
      guard stretch.allSatisfy({ $0 > envelope.activeDb }) else { continue }
      let straight = Self.withoutLine(stretch, taper)
      let swings = phasors.map { $0.squaredAmplitude(of: straight) }
      power += swings[0]
      floor += swings.dropFirst().reduce(0, +) / Double(Self.neighbours.count)
      count += 1
    }
    guard count > 0 else {
      throw Unmeasurable(.tooQuiet, "nowhere is the sound loud for \(needed) s on end")
    }
    self.rateHz = rateHz
    stretchCount = count
    // A sine of amplitude A is 2 A from crest to trough.
    depthDb = 2 * max(0, (power - floor) / Double(count)).squareRoot()
    floorDb = 2 * (floor / Double(count)).squareRoot()
  }

  private static let periods = 10.0
  /// Neighbouring rates. A Hann taper of ten periods passes nothing beyond 0.8 and 1.2 of the rate.
  private static let neighbours = [0.6, 0.7, 1.3, 1.4]

  /// Removes the mean and the slope.
  static func withoutLine(_ values: [Double], _ weights: [Double]) -> [Double] {
    let middle = Double(values.count - 1) / 2
    var (sum, mean, square, slope) = (0.0, 0.0, 0.0, 0.0)
    for (i, weight) in weights.enumerated() {
      let x = Double(i) - middle
      sum += weight
      mean += weight * values[i]
      square += weight * x * x
      slope += weight * x * values[i]
    }
    return values.indices.map { values[$0] - mean / sum - slope / square * (Double($0) - middle) }
  }

  /// A tapered sine and cosine, and the gain of the loudness smoothing at their rate.
  private struct Phasor {
    var sine: [Double]
    var cosine: [Double]
    var gain: Double

    init(_ rateHz: Double, _ envelope: TremoloEnvelope, _ taper: [Double]) {
      let step = 2 * Double.pi * rateHz * envelope.stepSeconds
      let sum = taper.reduce(0, +)
      sine = taper.indices.map { 2 * taper[$0] * sin(step * Double($0)) / sum }
      cosine = taper.indices.map { 2 * taper[$0] * cos(step * Double($0)) / sum }
      gain = envelope.response(atHz: rateHz)
    }

    func squaredAmplitude(of values: [Double]) -> Double {
      var (re, im) = (0.0, 0.0)
      for i in values.indices {
        re += values[i] * cosine[i]
        im += values[i] * sine[i]
      }
      return (re * re + im * im) / (gain * gain)
    }
  }
}

/// The loudness of a sound over time, smoothed as far as the rate of interest allows.
private struct TremoloEnvelope {
  var stepSeconds: Double
  var levelsDb: [Double]
  /// Threshold of loud frames, 20 dB under the loud parts of the sound.
  var activeDb: Double
  /// Hann window that smooths the power of blocks.
  private let window: [Double]
  private let blockSeconds: Double

  init(of signal: Signal, rateHz: Double) {
    // A block is the mean of at most 0.25 ms, and of a fiftieth of a period of the rate.
    let block = max(1, Int(min(0.000_25, 0.02 / rateHz) * signal.sampleRateHz))
    let powers = stride(from: 0, through: signal.count - block, by: block).map { start in
      signal.samples[start..<start + block].reduce(0.0) { $0 + Double($1) * Double($1) }
        / Double(block)
    }
    blockSeconds = Double(block) / signal.sampleRateHz
    // Half a period of the rate keeps 85 % of the modulation; 25 ms, the maximum, covers two
    // periods of a low voice.
    let length = max(5, Int(min(0.5 / rateHz, 0.025) / blockSeconds))
    let shape = Window.hann.samples(length)
    let sum = shape.reduce(0, +)
    let window = shape.map { $0 / sum }
    self.window = window
    let step = max(1, Int(min(0.002, 0.1 / rateHz) / blockSeconds))
    stepSeconds = Double(step) * blockSeconds
    let levelsDb = stride(from: 0, through: powers.count - length, by: step).map { start in
      10 * log10(dot(window, from: 0, powers, from: start, count: length) + 1e-18)
    }
    self.levelsDb = levelsDb
    activeDb = (Statistics.quantile(levelsDb, 0.95) ?? 0) - 20
  }

  /// The share of a modulation at a rate that the smoothing passes.
  func response(atHz rateHz: Double) -> Double {
    let middle = Double(window.count - 1) / 2
    let step = 2 * Double.pi * rateHz * blockSeconds
    return window.indices.reduce(0) { $0 + window[$1] * cos(step * (Double($1) - middle)) }
  }
}
