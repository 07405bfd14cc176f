import Foundation

/// The steady noise under a sound, and how much of a spectrum stands out of it.
///
/// In each band some share of all values, over time and frequency together, holds no voice: moments
/// of rest, and the valleys between harmonics. From the level that this share stays under follows
/// the mean, were the noise Gaussian, whose powers are exponentially distributed. A sound with
/// rests of digital silence has a floor of 0.
///
/// - Source: after Martin, "Noise power spectral density estimation based on optimal smoothing and
///   minimum statistics", IEEE Trans. Speech and Audio Processing 9(5), 2001, with one quantile of
///   the whole sound in place of running minima; the gain is Wiener's.
struct NoiseFloor {
  private static let bandHz = 200.0
  private static let quietShare = 0.2
  /// A spectrum is compared with the floor by its mean over this far to either side.
  private static let smoothingHz = 62.5
  /// How much of the noise is taken away: its own fluctuations rise above its mean.
  private static let weight: Float = 1.5

  /// Mean power of the noise in each bin.
  let power: [Float]
  private let smoothingBins: Int

  /// - Parameter spectra: powers of frames all through the sound, `binCount` values each.
  init(of spectra: [[Float]], hzPerBin: Double) {
    let binCount = spectra.first?.count ?? 0
    smoothingBins = max(1, Int(Self.smoothingHz / hzPerBin))
    let width = min(max(2, Int(Self.bandHz / hzPerBin)), max(binCount, 1))
    let levels = stride(from: 0, to: binCount, by: width).map { start in
      Self.level(of: spectra, bins: start..<min(start + width, binCount))
    }
    power = (0..<binCount).map { bin in
      let place = (Double(bin) - Double(width) / 2) / Double(width)
      let below = max(0, min(Int(place.rounded(.down)), levels.count - 2))
      let share = Float(min(max(place - Double(below), 0), 1))
      return levels[below] * (1 - share) + levels[min(below + 1, levels.count - 1)] * share
    }
  }

  private static func level(of spectra: [[Float]], bins: Range<Int>) -> Float {
    var values: [Float] = []
    // Neighbouring bins say the same.
    for spectrum in spectra {
      for bin in stride(from: bins.lowerBound, to: bins.upperBound, by: 3) {
        values.append(spectrum[bin])
      }
    }
    guard !values.isEmpty else { return 0 }
    values.sort()
    return values[Int(Double(values.count) * quietShare)] / Float(-log(1 - quietShare))
  }

  /// Weighs each power by the share that stands out of the noise around it.
  ///
  /// The share is a smooth function of frequency, so that it changes the balance of harmonics but
  /// not their widths, on which the height of the autocorrelation's peaks depends.
  func leaveWhatStandsOut(in powers: inout [Float], from lowest: Int) {
    let count = powers.count
    let before = powers
    var sum: Double = before.prefix(smoothingBins).reduce(0) { $0 + Double($1) }
    for bin in 0..<count {
      let (first, last) = (bin - smoothingBins, bin + smoothingBins)
      if last < count { sum += Double(before[last]) }
      if first > 0 { sum -= Double(before[first - 1]) }
      guard bin >= lowest else { continue }
      let near = Float(min(last, count - 1) - max(first, 0) + 1)
      let gain = 1 - Self.weight * power[bin] * near / max(Float(sum), 1e-20)
      powers[bin] = max(gain, 0) * before[bin]
    }
  }
}
