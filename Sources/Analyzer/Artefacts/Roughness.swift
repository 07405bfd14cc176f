import DSP
import Foundation
import Statistics

/// The roughness of a sound in asper; 1 is a tone of 1 kHz and 60 dB, fully modulated at 70 Hz.
///
/// The spectrum of 0.2 s is spread over 47 channels half a Bark apart, as in the ear. The envelope
/// of each channel is filtered to the rates heard as rough (15 to 300 Hz). Its depth counts in
/// proportion to its correlation with neighbouring channels. A voice is rough by its pitch alone,
/// so compare it with the input, or with the oracle at the same pitch.
///
/// The model needs sound pressure levels. `fullScaleDb` is the level of a sine of root mean square
/// 1; the default of 91 dB makes a voice at -31 dBFS a voice of 60 dB.
///
/// - Domain: 16 kHz and up, at least 0.2 s.
/// - Cost: about 0.01 of real time at 48 kHz. Allocates.
/// - Source: Daniel and Weber, "Psychoacoustical roughness: implementation of an optimized model",
///   Acustica 83, 1997. Values agree with MoSQITo 1.2.1 within 2 %, given its spectrum at the true
///   frequencies (as released it reads each line 5 Hz too high, which costs up to 13 %).
public struct Roughness: Codable, Equatable, Sendable {
  /// One value every 0.1 s, starting at the middle of the first 0.2 s.
  public var asper: [Double]
  /// The mean over frames that are not silent.
  public var meanAsper: Double

  public static let hopSeconds = 0.1

  /// - Parameter fullScaleDb: sound pressure level of a root mean square of 1.
  public init(of signal: Signal, fullScaleDb: Double = 91) throws(ArtefactFailure) {
    try signal.checkedForArtefacts()
    let rateHz = signal.sampleRateHz
    guard rateHz >= 16_000 else { throw .rateTooLow(hz: rateHz, leastHz: 16_000) }
    let length = Int((0.2 * rateHz).rounded()) / 2 * 2
    guard signal.count >= length else {
      throw .tooShort(seconds: signal.durationSeconds, neededSeconds: 0.2)
    }
    var model = RoughnessModel(frameCount: length, sampleRateHz: rateHz)
    let gain = pow(10, fullScaleDb / 20)  // in units of 20 µPa
    asper = stride(from: 0, through: signal.count - length, by: length / 2).map { start in
      model.asper(of: signal.samples[start..<start + length], gain: gain)
    }
    let heard = asper.filter { $0 > 0 }
    meanAsper = Statistics.mean(heard) ?? 0
  }
}

/// The model of Daniel and Weber for frames of one length.
struct RoughnessModel: ~Copyable {
  private static let channelCount = 47

  private let taper: [Double]
  /// Place of each bin in Bark, from 0 Hz.
  private let bark: [Double]
  private let thresholdDb: [Double]
  /// Gain of the outer and middle ear in each bin.
  private let ear: [Float]
  private let frequencyHz: [Double]
  /// Weights of the envelope's spectrum, by channel and bin.
  private let weights: [[Float]]
  private var transform: FourierTransform

  init(frameCount: Int, sampleRateHz: Double) {
    transform = FourierTransform(count: frameCount)
    taper = (0..<frameCount).map {
      let angle = 2 * Double.pi * Double($0) / Double(frameCount - 1)
      return 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)  // Blackman
    }
    let binHz = sampleRateHz / Double(frameCount)
    frequencyHz = (0...frameCount / 2).map { Double($0) * binHz }
    bark = frequencyHz.map(RoughnessTables.bark.value)
    thresholdDb = bark.map(RoughnessTables.thresholdDb.value)
    ear = bark.map { Float(pow(10, RoughnessTables.earDb.value(at: $0) / 20)) }
    let top = Int(645 / binHz)
    weights = (0..<Self.channelCount).map { channel in
      let curve = RoughnessTables.modulation(channel: channel)
      // The two lowest bins hold the mean and its leakage.
      return (0...top).map { $0 < 2 ? 0 : Float(curve.value(at: Double($0) * binHz)) }
    }
  }

  /// - Parameter gain: factor from samples to units of 20 µPa.
  mutating func asper(of samples: ArraySlice<Float>, gain: Double) -> Double {
    let components = heard(samples, gain)
    guard !components.isEmpty else { return 0 }
    let shares = Self.shares(of: components)
    var spectrum = [ComplexFloat](repeating: ComplexFloat(0, 0), count: transform.binCount)
    let envelopes = (0..<Self.channelCount).map { channel in
      for (place, component) in components.enumerated() {
        let share = shares[channel * components.count + place]
        spectrum[component.bin] = ComplexFloat(
          component.value.re * share, component.value.im * share)
      }
      return envelope(of: channel, spectrum)
    }
    // Correlate channels a Bark apart; the first and last have one neighbour only.
    let pairs = (0..<Self.channelCount - 2).map {
      Self.correlation(envelopes[$0].spectrum, envelopes[$0 + 2].spectrum)
    }
    return 0.25
      * (0..<Self.channelCount).reduce(0) { sum, i in
        let below = i >= 2 ? pairs[i - 2] : 1
        let above = i < pairs.count ? pairs[i] : 1
        let part = envelopes[i].depth * below * above
        return sum + RoughnessTables.importance.value(at: Double(i + 1) / 2) * part * part
      }
  }

  /// A spectral line above the threshold of hearing.
  private struct Component {
    var bin: Int
    /// Place in Bark.
    var bark: Double
    var value: ComplexFloat
    var levelDb: Double
    /// The channels at or next to the line's place.
    var low: Int
    var high: Int
    /// Fall in decibels per Bark towards higher channels.
    var upperSlopeDb: Double
  }

  private mutating func heard(_ samples: ArraySlice<Float>, _ gain: Double) -> [Component] {
    let scale = gain * 2.0.squareRoot() / taper.reduce(0, +)
    let tapered = samples.enumerated().map { Float(Double($1) * taper[$0] * scale) }
    transform.forward(tapered.span)
    return (1..<bark.count).compactMap { bin in
      let value = ComplexFloat(transform[bin].re * ear[bin], transform[bin].im * ear[bin])
      guard value.power > 1e-20 else { return nil }
      let levelDb = 10 * log10(Double(value.power))
      guard levelDb > thresholdDb[bin] else { return nil }
      return Component(
        bin: bin, bark: bark[bin], value: value, levelDb: levelDb, low: Int(2 * bark[bin]) - 1,
        high: Int((2 * bark[bin]).rounded(.up)) - 1,
        upperSlopeDb: min(0, -24 - 230 / frequencyHz[bin] + 0.2 * levelDb))
    }
  }

  /// Fall in decibels per Bark towards lower channels.
  private static let lowerSlopeDb = -27.0
  /// Threshold in quiet at multiples of half a Bark.
  private static let quietDb = (0...channelCount + 2).map {
    RoughnessTables.thresholdDb.value(at: Double($0) / 2)
  }

  /// The share of each component that excites each channel, channel by channel: 1 at its place, less
  /// along the ear's slopes, 0 where it falls below the threshold.
  private static func shares(of components: [Component]) -> [Float] {
    func ratio(_ decibels: Double) -> Double { exp(decibels * (log(10) / 20)) }
    var shares = [Float](repeating: 0, count: channelCount * components.count)
    for (place, component) in components.enumerated() {
      func set(_ channel: Int, _ share: Double) {
        if 0..<channelCount ~= channel { shares[channel * components.count + place] = Float(share) }
      }
      set(component.low, 1)
      set(component.high, 1)
      // A slope falls by the same ratio from channel to channel, each half a Bark from the next.
      // Below, a channel counts at the place of the next one towards the component, and so above.
      func descend(from first: Int, by step: Int, end: Int, slopeDb: Double) {
        guard (end - first) * step >= 0 else { return }
        var heard = first - step + 1  // in half Barks
        var fallDb = slopeDb * abs(Double(heard) / 2 - component.bark)
        var share = ratio(fallDb)
        let perChannel = ratio(slopeDb / 2)
        for channel in stride(from: first, through: end, by: step) {
          if component.levelDb + fallDb > quietDb[heard] { set(channel, share) }
          heard += step
          fallDb += slopeDb / 2
          share *= perChannel
        }
      }
      descend(
        from: min(component.low - 1, channelCount - 1), by: -1, end: 0, slopeDb: lowerSlopeDb)
      descend(
        from: component.high + 1, by: 1, end: channelCount - 1, slopeDb: component.upperSlopeDb)
    }
    return shares
  }

  /// Returns the depth of a channel's envelope, weighted as heard roughness, and its spectrum.
  ///
  /// - Parameter excitation: spectrum of the channel's excitation.
  private mutating func envelope(
    of channel: Int, _ excitation: [ComplexFloat]
  ) -> (depth: Double, spectrum: [ComplexFloat]) {
    transform.inverse(of: excitation.span)
    let count = transform.count
    var rectified = [Float](repeating: 0, count: count)
    let mean = Double(Self.rectify(transform.samples, &rectified)) / Double(count)
    guard mean > 0 else { return (0, []) }
    rectified.withUnsafeMutableBufferPointer { rectified in
      let level = Float(mean)
      for i in 0..<count { unsafe rectified[i] -= level }
    }
    transform.forward(rectified.span)
    let spectrum = weights[channel].indices.map { bin in
      let weight = weights[channel][bin] / Float(count)
      return ComplexFloat(transform[bin].re * weight, transform[bin].im * weight)
    }
    // The original takes the real part of a one-sided spectrum, which doubles the power.
    let power = spectrum.reduce(0.0) { $0 + Double($1.power) }
    return (min(1, (2 * power).squareRoot() / mean), spectrum)
  }

  /// Writes the magnitude of each sample and returns their sum.
  private static func rectify(_ samples: Span<Float>, _ magnitudes: inout [Float]) -> Float {
    precondition(magnitudes.count == samples.count)
    return unsafe samples.withUnsafeBytes { samples in
      unsafe magnitudes.withUnsafeMutableBytes { magnitudes in
        var sums = SIMD8<Float>.zero
        let (size, stride) = (samples.count, MemoryLayout<SIMD8<Float>>.size)
        for byte in Swift.stride(from: 0, through: size - stride, by: stride) {
          let values = unsafe samples.loadUnaligned(fromByteOffset: byte, as: SIMD8<Float>.self)
          let positive = values.replacing(with: -values, where: values .< 0)
          sums += positive
          unsafe magnitudes.storeBytes(of: positive, toByteOffset: byte, as: SIMD8<Float>.self)
        }
        var sum = sums.sum()
        for byte in Swift.stride(from: size / stride * stride, to: size, by: 4) {
          let magnitude = abs(unsafe samples.load(fromByteOffset: byte, as: Float.self))
          sum += magnitude
          unsafe magnitudes.storeBytes(of: magnitude, toByteOffset: byte, as: Float.self)
        }
        return sum
      }
    }
  }

  private static func correlation(_ a: [ComplexFloat], _ b: [ComplexFloat]) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return 0 }
    var (product, first, second) = (0.0, 0.0, 0.0)
    for i in a.indices {
      product += Double(a[i].re * b[i].re + a[i].im * b[i].im)
      first += Double(a[i].power)
      second += Double(b[i].power)
    }
    return first > 0 && second > 0 ? product / (first * second).squareRoot() : 0
  }
}
