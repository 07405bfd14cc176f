import DSP
import Foundation

/// The model of Daniel and Weber for frames of one length.
struct RoughnessModel: ~Copyable {
  private static let channelCount = RoughnessScale.channelCount

  private let scale: RoughnessScale
  private var transform: FourierTransform
  /// Samples of the excitation of two channels, from its spectrum.
  private var inverse: ComplexTransform
  /// Spectrum of the decimated envelopes of two channels.
  private var forward: ComplexTransform

  init(frameCount: Int, sampleRateHz: Double) {
    scale = .shared(frameCount: frameCount, sampleRateHz: sampleRateHz)
    transform = FourierTransform(count: frameCount)
    inverse = ComplexTransform(count: frameCount, .inverse)
    forward = ComplexTransform(count: frameCount / scale.step, .forward)
  }

  /// - Parameter gain: factor from samples to units of 20 µPa.
  mutating func asper(of samples: ArraySlice<Float>, gain: Double) -> Double {
    let excitation = RoughnessExcitation(heard(samples, gain))
    guard !excitation.lines.isEmpty else { return 0 }
    inverse.clear()
    var written = 0..<0
    // The filter runs on into the start of the frame.
    var rectified = [Float](repeating: 0, count: 2 * transform.count + 8 * scale.taps.count)
    var envelopes: [Envelope] = []
    for first in stride(from: 0, to: Self.channelCount, by: 2) {
      let channels = first..<min(first + 2, Self.channelCount)
      envelopes += pairOfEnvelopes(of: channels, excitation, &written, &rectified)
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

  /// Returns the envelopes of one or two channels. Both are transformed at once, the first as real
  /// and the second as imaginary part.
  ///
  /// - Parameters:
  ///   - written: lines whose bins may differ from 0.
  ///   - rectified: memory for the magnitudes of all samples of both.
  private mutating func pairOfEnvelopes(
    of channels: Range<Int>, _ excitation: RoughnessExcitation, _ written: inout Range<Int>,
    _ rectified: inout [Float]
  ) -> [Envelope] {
    let ranges = channels.map { excitation.ranges[$0] }.filter { !$0.isEmpty }
    guard let first = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max()
    else { return channels.map { _ in Envelope() } }
    // Lines of the channels before have a share of 0 now.
    let (from, to) = written.isEmpty ? (first, end) : (written.lowerBound, written.upperBound)
    excite(channels, excitation, min(from, first)..<max(to, end))
    written = first..<end
    inverse.run()
    let (scale, count) = (self.scale, transform.count)
    let means = Self.rectify(inverse, &rectified) / Float(count)
    for place in 0..<8 * scale.taps.count { rectified[2 * count + place] = rectified[place] }
    Self.decimate(rectified, scale, less: means, into: &forward)
    forward.run()
    return channels.enumerated().map { side, channel in
      // An empty channel would hold the other one's rounding errors.
      excitation.ranges[channel].isEmpty
        ? Envelope() : envelope(of: channel, side: side, mean: Double(means[side]))
    }
  }

  /// Writes the spectrum of the excitation of one or two channels.
  private mutating func excite(
    _ channels: Range<Int>, _ excitation: RoughnessExcitation, _ places: Range<Int>
  ) {
    var spectrum = inverse.input
    let count = spectrum.count
    let (low, high) = (channels.lowerBound, channels.upperBound - 1)
    for place in places {
      let line = excitation.lines[place]
      let share = ComplexFloat(
        excitation.share(low, place), high > low ? excitation.share(high, place) : 0)
      spectrum[line.bin] = line.value * share
      spectrum[count - line.bin] = ComplexFloat(line.value.re, -line.value.im) * share
    }
  }

  /// - Parameter side: 0 for the channel in the real part, 1 for that in the imaginary part.
  private func envelope(of channel: Int, side: Int, mean: Double) -> Envelope {
    guard mean > 0 else { return Envelope() }
    let weights = scale.weights[channel]
    let output = forward.output
    var spectrum: [ComplexFloat] = []
    spectrum.reserveCapacity(weights.count)
    for (bin, value) in weights.enumerated() {
      // Half the sum and half the difference of a bin and its mirror image, conjugated.
      let weight = value / Float(2 * output.count)
      let (a, b) = (output[bin], output[bin == 0 ? 0 : output.count - bin])
      spectrum.append(
        side == 0
          ? ComplexFloat((a.re + b.re) * weight, (a.im - b.im) * weight)
          : ComplexFloat((a.im + b.im) * weight, (b.re - a.re) * weight))
    }
    // The original takes the real part of a one-sided spectrum, which doubles the power.
    let power = spectrum.reduce(0.0) { $0 + Double($1.power) }
    return Envelope(depth: min(1, (2 * power).squareRoot() / mean), spectrum: spectrum)
  }

  /// Writes the magnitudes of both channels' samples, and returns the sums of each.
  private static func rectify(
    _ transformed: borrowing ComplexTransform, _ magnitudes: inout [Float]
  ) -> SIMD2<Float> {
    let samples = transformed.output
    precondition(magnitudes.count >= 2 * samples.count)
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
        let half = sums.lowHalf + sums.highHalf
        var both = half.lowHalf + half.highHalf
        for byte in Swift.stride(from: size / stride * stride, to: size, by: 8) {
          let values = unsafe samples.loadUnaligned(fromByteOffset: byte, as: SIMD2<Float>.self)
          let positive = values.replacing(with: -values, where: values .< 0)
          both += positive
          unsafe magnitudes.storeBytes(of: positive, toByteOffset: byte, as: SIMD2<Float>.self)
        }
        return both
      }
    }
  }

  /// Writes both envelopes, filtered and at a lower rate, without their means.
  private static func decimate(
    _ rectified: [Float], _ scale: RoughnessScale, less means: SIMD2<Float>,
    into transform: inout ComplexTransform
  ) {
    var output = transform.input
    let (table, step) = (scale.taps, scale.step)
    precondition(rectified.count >= 2 * step * (output.count - 1) + 8 * table.count)
    let samples = rectified.span
    let taps = table.span
    for place in 0..<output.count {
      var sums = SIMD8<Float>.zero
      for tap in 0..<taps.count {
        sums += taps[inBounds: tap] * samples[uncheckedEightAt: 2 &* step &* place &+ 8 &* tap]
      }
      let half = sums.lowHalf + sums.highHalf
      let both = half.lowHalf + half.highHalf - means
      output[inBounds: place] = ComplexFloat(both[0], both[1])
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
