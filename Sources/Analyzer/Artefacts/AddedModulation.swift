import DSP
import Foundation
import Statistics

/// The level modulation that a sound has and its reference lacks, as strong as it is heard: tremor,
/// doubling, flutter and roughness in one figure.
///
/// In each of seven bands the difference of the two levels over time is analysed; what both sounds
/// do cancels. Each rate from 1 to 50 Hz counts by the ear's sensitivity: that of fluctuation
/// strength, which peaks at 4 Hz, or of roughness, which rises to 70 Hz, whichever is larger; each
/// is 1 at its own peak. Bands count by their specific loudness. The result is the depth, from
/// trough to crest, of a swing at 4 Hz of the whole sound that counts as much.
///
/// Harmonics of another pitch move through bands and resonances in another way. Both sounds should
/// have the same pitch, or one low enough that each band holds several harmonics.
///
/// - Domain: sounds aligned in time, with at least 1 s in which both are loud.
/// - Cost: about 0.02 of real time. Allocates.
/// - Source: Fastl and Zwicker, "Psychoacoustics", 3rd ed., 2007: fluctuation strength, 10.3 (the
///   sensitivity 1 / (f/4 + 4/f) on the depth in decibels), roughness, 11.3 (depth times rate),
///   specific loudness, 8.7 (the power 0.23 of the excitation).
public struct AddedModulation: Codable, Equatable, Sendable {
  /// Depth from trough to crest of an equally strong swing at 4 Hz.
  public var swingDb: Double
  /// Number of frames compared in the band that has most.
  public var frameCount: Int

  private static let edgesHz = [100.0, 400, 800, 1300, 2000, 3000, 4500, 7000]
  private static let hopMs = 4.0
  private static let windowMs = 24.0
  /// Level below the loud frames of a band at which it is silent.
  private static let rangeDb = 30.0
  private static let shortestSeconds = 0.25
  private static let minSeconds = 1.0
  private static let ratesHz = 1.0...50
  /// Frames of the transform of a stretch: 16 s.
  private static let transformCount = 4096

  public init(of output: Signal, against reference: Signal) throws(Unmeasurable) {
    try output.checkedForArtefacts(against: reference)
    let count = min(output.count, reference.count)
    let needed = Int(Self.minSeconds * 1000 / Self.hopMs)
    let (before, after) = (Self.levels(of: reference, count), Self.levels(of: output, count))
    var (sum, weight, frames) = ([Double](repeating: 0, count: Self.transformCount / 2 + 1), 0.0, 0)
    var transform = FourierTransform(count: Self.transformCount)
    for (reference, output) in zip(before, after) {
      guard let top = Statistics.quantile(output, 0.95),
        let found = Self.spectrum(of: output, against: reference, &transform)
      else { continue }
      let loudness = pow(max(top, 1e-20), 0.23)
      for bin in sum.indices { sum[bin] += loudness * found.power[bin] }
      weight += loudness
      frames = max(frames, found.frames)
    }
    guard weight > 0, frames >= needed else {
      throw .lessThanOneSecond
    }
    let rateHz = 1000 / Self.hopMs / Double(Self.transformCount)
    let power = sum.indices.reduce(0.0) { total, bin in
      let hz = Double(bin) * rateHz
      guard Self.ratesHz.contains(hz) else { return total }
      let sensitivity = Self.sensitivity(toHz: hz) / Self.response(atHz: hz)
      return total + sensitivity * sensitivity * sum[bin] / weight
    }
    // The variance of a sine is half the square of its amplitude.
    swingDb = 2 * (2 * power).squareRoot()
    frameCount = frames
  }

  /// Sensitivity of the ear to a rate, 1 at 4 Hz and at 70 Hz.
  static func sensitivity(toHz hz: Double) -> Double {
    max(2 / (hz / 4 + 4 / hz), hz / 70)
  }

  /// Share of a modulation of power that passes the window of the levels: the transform of a squared
  /// Hann window, whose cosines have the weights 3/8, 1/2 and 1/8.
  private static func response(atHz hz: Double) -> Double {
    let x = hz * windowMs / 1000
    func sinc(_ x: Double) -> Double { abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x) }
    return (6 * sinc(x) + 4 * (sinc(x - 1) + sinc(x + 1)) + sinc(x - 2) + sinc(x + 2)) / 6
  }

  /// Powers of each band in each frame.
  private static func levels(of signal: Signal, _ count: Int) -> [[Double]] {
    let rateHz = signal.sampleRateHz
    let length = max(4, Int(windowMs / 1000 * rateHz) / 2 * 2)
    let hop = hopMs / 1000 * rateHz
    let taper = Window.hann.samples(length + 1).prefix(length).map { Float($0) }
    var transform = FourierTransform(count: length)
    let bands = zip(edgesHz, edgesHz.dropFirst()).map { low, high in
      let bins = [low, high].map {
        min(length / 2, Int(($0 / rateHz * Double(length)).rounded(.up)))
      }
      return bins[0]..<max(bins[0], bins[1])
    }
    var powers = bands.map { _ in [Double]() }
    var start = 0
    while start + length <= count {
      let frame = zip(signal.samples[start..<start + length], taper).map { $0 * $1 }
      transform.forward(frame.span)
      for (band, bins) in bands.enumerated() {
        var power = 0.0
        for bin in bins { power += Double(transform[bin].power) }
        powers[band].append(power)
      }
      start = Int((Double(powers[0].count) * hop).rounded())
    }
    return powers
  }

  /// Returns the power spectrum of the difference of two levels in decibels, over stretches in which
  /// both are loud; its sum is the variance.
  private static func spectrum(
    of output: [Double], against reference: [Double], _ transform: inout FourierTransform
  ) -> (power: [Double], frames: Int)? {
    func floor(_ powers: [Double]) -> Double {
      max(1e-16, (Statistics.quantile(powers, 0.95) ?? 0) * pow(10, -rangeDb / 10))
    }
    let (low, other) = (floor(output), floor(reference))
    let shortest = Int(shortestSeconds * 1000 / hopMs)
    var (power, frames) = ([Double](repeating: 0, count: transformCount / 2 + 1), 0)
    var stretch: [Double] = []
    func end() {
      defer { stretch = [] }
      guard stretch.count >= shortest else { return }
      let line = Tremolo.withoutLine(stretch, stretch.map { _ in 1 })
      let taper = Window.hann.samples(line.count + 2).dropFirst().dropLast()
      let energy = taper.reduce(0) { $0 + $1 * $1 }
      var samples = zip(line, taper).map { Float($0 * $1) }
      samples += [Float](repeating: 0, count: transformCount - samples.count)
      transform.forward(samples.span)
      let scale = 2 * Double(line.count) / energy / Double(transformCount)
      for bin in power.indices { power[bin] += scale * Double(transform[bin].power) }
      frames += line.count
    }
    for (a, b) in zip(reference, output) {
      if a > other, b > low, stretch.count < transformCount {
        stretch.append(10 * log10(b / a))
      } else {
        end()
      }
    }
    end()
    guard frames > 0 else { return nil }
    return (power.map { $0 / Double(frames) }, frames)
  }
}
