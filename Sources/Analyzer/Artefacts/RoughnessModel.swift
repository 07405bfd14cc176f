import DSP
import Foundation

/// The model of Daniel and Weber for frames of one length.
struct RoughnessModel: ~Copyable {
  private static let channelCount = RoughnessScale.channelCount

  private let scale: RoughnessScale
  private var transform: FourierTransform

  init(frameCount: Int, sampleRateHz: Double) {
    scale = .shared(frameCount: frameCount, sampleRateHz: sampleRateHz)
    transform = FourierTransform(count: frameCount)
  }

  /// - Parameter gain: factor from samples to units of 20 µPa.
  mutating func asper(of samples: ArraySlice<Float>, gain: Double) -> Double {
    let excitation = RoughnessExcitation(heard(samples, gain))
    guard !excitation.lines.isEmpty else { return 0 }
    var spectrum = [ComplexFloat](repeating: ComplexFloat(0, 0), count: transform.binCount)
    var written = 0..<0
    let envelopes = (0..<Self.channelCount).map { channel in
      let range = excitation.ranges[channel]
      guard !range.isEmpty else { return Envelope() }
      for place in written { spectrum[excitation.lines[place].bin] = ComplexFloat(0, 0) }
      for place in range {
        let line = excitation.lines[place]
        let share = excitation.share(channel, place)
        spectrum[line.bin] = ComplexFloat(line.value.re * share, line.value.im * share)
      }
      written = range
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

  private mutating func heard(
    _ samples: ArraySlice<Float>, _ gain: Double
  ) -> [RoughnessExcitation.Line] {
    let scale = scale
    let factor = gain * 2.0.squareRoot() / scale.taperSum
    let tapered = zip(samples, scale.taper).map { Float(Double($0) * $1 * factor) }
    transform.forward(tapered.span)
    var lines: [RoughnessExcitation.Line] = []
    for bin in 1..<scale.bark.count {
      let (found, ear) = (transform[bin], scale.ear[bin])
      let value = ComplexFloat(found.re * ear, found.im * ear)
      let power = Double(value.power)
      guard power > scale.threshold[bin] else { continue }
      let levelDb = 10 * log10(power)
      lines.append(
        RoughnessExcitation.Line(
          bin: bin, value: value, bark: scale.bark[bin], levelDb: levelDb,
          upperSlopeDb: min(0, -24 - 230 / scale.frequencyHz[bin] + 0.2 * levelDb)))
    }
    return lines
  }

  /// The envelope of a channel: its depth, weighted as heard roughness, and its spectrum, which is
  /// empty in silence.
  private struct Envelope {
    var depth = 0.0
    var spectrum: [ComplexFloat] = []
  }

  /// - Parameter excitation: spectrum of the channel's excitation.
  private mutating func envelope(of channel: Int, _ excitation: [ComplexFloat]) -> Envelope {
    transform.inverse(of: excitation.span)
    let count = transform.count
    var rectified = [Float](repeating: 0, count: count)
    let mean = Double(Self.rectify(transform.samples, &rectified)) / Double(count)
    guard mean > 0 else { return Envelope() }
    rectified.withUnsafeMutableBufferPointer { rectified in
      let level = Float(mean)
      for i in 0..<count { unsafe rectified[i] -= level }
    }
    transform.forward(rectified.span)
    let weights = scale.weights[channel]
    let spectrum = weights.indices.map { bin in
      let weight = weights[bin] / Float(count)
      return ComplexFloat(transform[bin].re * weight, transform[bin].im * weight)
    }
    // The original takes the real part of a one-sided spectrum, which doubles the power.
    let power = spectrum.reduce(0.0) { $0 + Double($1.power) }
    return Envelope(depth: min(1, (2 * power).squareRoot() / mean), spectrum: spectrum)
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
