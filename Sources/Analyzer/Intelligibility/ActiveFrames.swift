import Foundation

/// The frames of a sound at 10 kHz that lie within 40 dB of its loudest: 256 samples, every 128.
///
/// Source: Taal et al. 2011; frames and their order as pystoi takes them.
struct ActiveFrames {
  static let length = 256
  static let hop = 128

  /// Tapers by which frames that overlap by half add up again; MATLAB's `hanning`.
  static let taper = (1...length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length + 1)) }

  /// First samples of the active frames.
  let starts: [Int]

  init(of reference: [Double]) {
    // The last whole frame is left out where it ends with the sound, as in the original.
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

  /// The active frames of any sound of that length, tapered and overlapped into one without gaps.
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
