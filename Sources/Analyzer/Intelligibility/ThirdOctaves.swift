import DSP
import Foundation

/// The level of a 10 kHz sound in 15 third octaves from 150 Hz, frame by frame.
///
/// - Source: Taal et al. 2011, equation 1.
struct ThirdOctaves: ~Copyable {
  static let bandCount = 15
  private static let transformCount = 512

  /// The bins that each band sums: from the one nearest to its lower edge up to, excluding, that
  /// nearest to its upper edge.
  private static let bins: [Range<Int>] = (0..<bandCount).map { band in
    let binHz = Intelligibility.sampleRateHz / Double(transformCount)
    let edges = [2 * band - 1, 2 * band + 1].map { 150 * exp2(Double($0) / 6) / binHz }
    return Int(edges[0].rounded())..<Int(edges[1].rounded())
  }

  private var transform = PreciseTransform(count: transformCount)

  /// Returns one row of bands per frame.
  mutating func levels(of samples: [Double]) -> [[Double]] {
    let last = samples.count - ActiveFrames.length
    return stride(from: 0, to: last, by: ActiveFrames.hop).map { start in
      let frame = ActiveFrames.taper.indices.map { ActiveFrames.taper[$0] * samples[start + $0] }
      let power = transform.power(of: frame)
      return Self.bins.map { bins in power[bins].reduce(0, +).squareRoot() }
    }
  }
}
