import DSP
import Foundation

/// From the sample rate to a quarter of it and back, two quarter samples for a step of eight.
///
/// Both ways by one filter of 24 samples, sin(πx/4)/(πx) under a Hann window of ±12.5, which adds up
/// to 1; what leaves is `delay` samples late and weaker at the top
/// of the band, which `levelling` makes up for.
struct QuarterBand: ~Copyable {
  /// From a sample to what comes of it.
  static var delay: Double { 28 }
  /// Of the sample rate; above it would fold back.
  static var highest: Double { 0.0875 }

  private let levels: Row<Float>  // from 0 to `highest`

  init() {
    levels = Row(count: 32, of: 1)
    for i in 0..<32 {
      let turn = 2 * .pi * Self.highest * Double(i) / 31
      var response = 0.0
      for (start, taps) in [Self.late0, Self.late1, Self.late2].enumerated() {
        for lane in 0..<8 {
          response += Double(taps[lane]) * cos(turn * (Double(8 * start + lane) - 11.5))
        }
      }
      levels[i] = Float(4 / (response * response))  // three of four samples are 0 on the way back
    }
  }

  /// What brings a frequency, as a share of the sample rate, back to its level.
  @inline(__always) func levelling(at frequency: Float) -> Float {
    levels[min(Int(frequency * (31 / Float(Self.highest)) + 0.5), 31)]
  }

  /// Of the last 32 samples: the older quarter sample and the newer.
  @inline(__always) @_semantics("no_performance_analysis") func quarters(
    _ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>
  ) -> (Float, Float) {
    let older = Self.early0 * a + Self.early1 * b + Self.early2 * c + Self.early3 * d
    let newer = Self.late0 * b + Self.late1 * c + Self.late2 * d
    return (older.sum(), newer.sum())
  }

  /// Adds two quarter samples to the coming 32.
  @inline(__always) @_semantics("no_performance_analysis") func add(
    _ first: Float, _ second: Float,
    to sound: inout (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
  ) {
    sound.0 += first * Self.late0 + second * Self.early0
    sound.1 += first * Self.late1 + second * Self.early1
    sound.2 += first * Self.late2 + second * Self.early2
    sound.3 += second * Self.early3
  }

  // In a row of 24 samples, and in one of 32 that begins four samples before it.
  private static var late0: SIMD8<Float> {
    SIMD8(
      0.00016696, 0.00173812, 0.00420938, 0.00333739,
      -0.00563057, -0.02127381, -0.03185294, -0.0193636)
  }
  private static var late1: SIMD8<Float> {
    SIMD8(
      0.02859166, 0.10676394, 0.18981814, 0.24349532,
      0.24349532, 0.18981814, 0.10676394, 0.02859166)
  }
  private static var late2: SIMD8<Float> {
    SIMD8(
      -0.0193636, -0.03185294, -0.02127381, -0.00563057,
      0.00333739, 0.00420938, 0.00173812, 0.00016696)
  }
  private static var early0: SIMD8<Float> {
    SIMD8(
      0, 0, 0, 0,
      0.00016696, 0.00173812, 0.00420938, 0.00333739)
  }
  private static var early1: SIMD8<Float> {
    SIMD8(
      -0.00563057, -0.02127381, -0.03185294, -0.0193636,
      0.02859166, 0.10676394, 0.18981814, 0.24349532)
  }
  private static var early2: SIMD8<Float> {
    SIMD8(
      0.24349532, 0.18981814, 0.10676394, 0.02859166,
      -0.0193636, -0.03185294, -0.02127381, -0.00563057)
  }
  private static var early3: SIMD8<Float> {
    SIMD8(
      0.00333739, 0.00420938, 0.00173812, 0.00016696,
      0, 0, 0, 0)
  }
}
