import DSP
import Foundation

/// The power spectrum of a periodic sound, divided into its lines and the rest.
///
/// A Kaiser window (beta 20) keeps a line within 12 bins; beyond that it is 180 dB down, below the
/// resolution of single precision.
struct LineSpectrum {
  static let reach = 12
  let power: [Double]

  /// The spectrum of the last `count` samples.
  init(_ samples: [Float], count: Int) {
    let window = Window.kaiser(beta: 20).samples(count)
    let tapered = zip(samples.suffix(count), window).map { Float(Double($0) * $1) }
    var transform = FourierTransform(count: count)
    transform.forward(tapered.span)
    power = (0..<transform.binCount).map { Double(transform[$0].power) }
  }

  /// The power of the line at a bin.
  func line(_ bin: Int) -> Double {
    power[max(0, bin - Self.reach)...min(power.count - 1, bin + Self.reach)].reduce(0, +)
  }

  /// The power of all bins farther than `reach` from every multiple of `bin`, including 0.
  func between(multiplesOf bin: Int, reach: Int = LineSpectrum.reach) -> Double {
    power.enumerated().reduce(0) { sum, entry in
      let place = entry.offset % bin
      return min(place, bin - place) > reach ? sum + entry.element : sum
    }
  }
}

/// Power in dB.
func powerDb(_ ratio: Double) -> Double { 10 * log10(ratio) }
