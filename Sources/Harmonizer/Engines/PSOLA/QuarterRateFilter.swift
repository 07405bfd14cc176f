import DSP
import Foundation

/// Converter from the sample rate to a quarter of it and back, two quarter samples for a step of
/// eight.
///
/// Both ways by one filter of 24 samples, sin(πx/4)/(πx) under a Hann window of ±12.5, which adds up
/// to 1; what leaves is `delay` samples late and weaker at the top
/// of the band, which `levelling` makes up for.
struct QuarterRateFilter: ~Copyable {
  /// Delay of both ways together, in samples.
  static var delay: Double { 28 }
  /// Highest frequency, as a share of the sample rate; above it the sound would fold back.
  static var highest: Double { 0.0875 }

  private var levels: RealtimeArray<Float>  // from 0 to `highest`
  /// The filter between zeros: from 12 on it stands in a row of 24 samples; from 4 and from 8 on, the
  /// newer and the older quarter sample's, in one of 32.
  private var taps: RealtimeArray<Float>

  init() {
    let half: [Float] = [
      0.00016696, 0.00173812, 0.00420938, 0.00333739, -0.00563057, -0.02127381,
      -0.03185294, -0.0193636, 0.02859166, 0.10676394, 0.18981814, 0.24349532,
    ]
    let before = [Float](repeating: 0, count: 12)
    taps = RealtimeArray<Float>(before + half + half.reversed() + [0, 0, 0, 0])
    levels = RealtimeArray(repeating: 1, count: 32)
    for i in 0..<32 {
      let turn = 2 * .pi * Self.highest * Double(i) / 31
      var response = 0.0
      for (place, tap) in half.enumerated() {
        response += 2 * Double(tap) * cos(turn * (Double(place) - 11.5))
      }
      levels[i] = Float(4 / (response * response))  // three of four samples are 0 on the way back
    }
  }

  /// Returns the gain that brings a frequency, as a share of the sample rate, back to its level.
  @inline(__always) func levelling(at frequency: Float) -> Float {
    levels[unchecked: min(max(Int(frequency * (31 / Float(Self.highest)) + 0.5), 0), 31)]
  }

  /// Returns the older and the newer quarter sample of the last 32 samples.
  @inline(__always) @_semantics("no_performance_analysis")
  func quarters(_ past: borrowing RealtimeArray<Float>) -> SIMD2<Float> {
    var (older, newer) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var at = 0
    while at < past.count {
      let sound = past[uncheckedEightAt: at]
      older += taps[uncheckedEightAt: at &+ 8] * sound
      newer += taps[uncheckedEightAt: at &+ 4] * sound
      at &+= 8
    }
    return older.sums(newer)
  }

  /// Adds two quarter samples to the coming 32.
  @inline(__always) @_semantics("no_performance_analysis") func add(
    _ quarters: SIMD2<Float>,
    to sound: inout (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
  ) {
    let (first, second) = (quarters.x, quarters.y)
    sound.0 += first * taps[uncheckedEightAt: 12] + second * taps[uncheckedEightAt: 8]
    sound.1 += first * taps[uncheckedEightAt: 20] + second * taps[uncheckedEightAt: 16]
    sound.2 += first * taps[uncheckedEightAt: 28] + second * taps[uncheckedEightAt: 24]
    sound.3 += second * taps[uncheckedEightAt: 32]
  }
}
