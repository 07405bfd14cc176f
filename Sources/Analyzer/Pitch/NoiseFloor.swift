import Foundation

/// The steady noise of a sound, and noise reduction of its spectra.
///
/// In each band some share of all values, over time and frequency, holds no voice: pauses, and the
/// valleys between harmonics. The level below which this share lies determines the mean of the
/// noise if it is Gaussian, with exponentially distributed powers. A sound with pauses of digital
/// silence has a floor of 0.
///
/// - Source: after Martin, "Noise power spectral density estimation based on optimal smoothing and
///   minimum statistics", IEEE Trans. Speech and Audio Processing 9(5), 2001, with one quantile of
///   the whole sound in place of running minima; the gain is Wiener's.
struct NoiseFloor {
  private static let bandHz = 200.0
  private static let quietShare = 0.2
  /// Reach, to either side, of the mean over a spectrum that is compared with the floor.
  private static let smoothingHz = 62.5
  /// Factor by which noise is oversubtracted, because it fluctuates above its mean.
  private static let weight: Float = 1.5

  /// Mean power of the noise in each bin.
  private(set) var power: [Float]
  /// Sum of powers of a frame up to which it is silent: 120 dB below the loudest, where rounding begins.
  let silence: Float
  private let smoothingBins: Int
  /// Sum of the squares of the frames' window, to which white noise is proportional.
  private let windowPower: Float

  /// - Parameter spectra: powers of frames from the whole sound, `binCount` values each.
  init(of spectra: [[Float]], hzPerBin: Double, windowPower: Float = 1) {
    self.windowPower = windowPower
    silence = 1e-12 * spectra.reduce(0) { max($0, $1.reduce(0, +)) }
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

  /// Returns the lower of two floors in each bin: what the harmonics of a low voice fill between them in
  /// short windows, longer ones show.
  func lowered(to other: NoiseFloor) -> NoiseFloor {
    var result = self
    let ratio = Double(other.power.count - 1) / Double(max(power.count - 1, 1))
    for bin in power.indices where !other.power.isEmpty {
      let same = other.power[Int((Double(bin) * ratio).rounded())]
      result.power[bin] = min(power[bin], same * windowPower / other.windowPower)
    }
    return result
  }

  private static func level(of spectra: [[Float]], bins: Range<Int>) -> Float {
    var values: [Float] = []
    // Neighbouring bins are nearly equal, so every third suffices.
    for spectrum in spectra {
      for bin in stride(from: bins.lowerBound, to: bins.upperBound, by: 3) {
        values.append(spectrum[bin])
      }
    }
    guard !values.isEmpty else { return 0 }
    return ranked(Int(Double(values.count) * quietShare), in: &values) / Float(-log(1 - quietShare))
  }

  /// Returns the value that would have an index if all were sorted (Hoare's selection).
  private static func ranked(_ rank: Int, in values: inout [Float]) -> Float {
    var (first, last) = (0, values.count - 1)
    while first < last {
      let pivot = values[(first + last) / 2]
      var (i, j) = (first, last)
      while i <= j {
        while values[i] < pivot { i += 1 }
        while values[j] > pivot { j -= 1 }
        if i <= j {
          values.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if rank <= j { last = j } else if rank >= i { first = i } else { return values[rank] }
    }
    return values[rank]
  }

  /// Multiplies each power by the share of its surroundings that exceeds the noise.
  ///
  /// The share is a smooth function of frequency. It changes the balance of the harmonics but not
  /// their widths, on which the height of the autocorrelation's peaks depends.
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
      let gain = 1 - Self.weight * power[bin] * near / max(Float(sum), .leastNormalMagnitude)
      powers[bin] = max(gain, 0) * before[bin]
    }
  }
}
