import Foundation

/// The frames of a 10 kHz sound within 40 dB of its loudest one: 256 samples each, every 128.
///
/// - Source: Taal et al. 2011; frames and their order as in pystoi.
struct ActiveFrames {
  static let length = 256
  static let hop = 128

  /// MATLAB's `hanning` taper, under which frames that overlap by half sum to a constant.
  static let taper = (1...length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length + 1)) }

  /// The first sample of each active frame.
  let starts: [Int]

  init(of reference: [Double]) {
    // The original omits a whole frame that ends with the sound.
    let all = stride(from: 0, to: reference.count - Self.length, by: Self.hop)
    let levelsDb = all.map { start in
      let energy = Self.taper.indices.reduce(0.0) { sum, i in
        let sample = Self.taper[i] * reference[start + i]
        return sum + sample * sample
      }
      return 20 * log10(energy.squareRoot() + Double.ulpOfOne)
    }
    let floorDb = (levelsDb.max() ?? 0) - 40
    starts = zip(all, levelsDb).filter { $0.1 > floorDb }.map(\.0)
  }

  /// Joins the active frames of a sound of the same length, tapered and overlapped, without gaps.
  func joined(_ samples: [Double]) -> [Double] {
    guard !starts.isEmpty else { return [] }
    var joined = [Double](repeating: 0, count: (starts.count - 1) * Self.hop + Self.length)
    for (frame, start) in starts.enumerated() {
      for i in 0..<Self.length {
        joined[frame * Self.hop + i] += Self.taper[i] * samples[start + i]
      }
    }
    return joined
  }
}
