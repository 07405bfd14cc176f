import Foundation

/// The smallest audible swing of level, by its rate.
///
/// The detectable modulation index is constant at low rates and rises with the rate like the inverse
/// of a first-order low-pass filter.
///
/// - Source: Viemeister, "Temporal modulation transfer functions based upon modulation thresholds",
///   1979: 23 to 26 dB below full modulation up to 50 to 60 Hz, about half of full modulation at
///   500 Hz. The lowest threshold is used.
enum ModulationThreshold {
  private static let lowestIndex = pow(10, -26.0 / 20)
  private static let cornerHz = 55.0

  /// Returns the audible swing from trough to crest in dB.
  static func depthDb(rateHz: Double) -> Double {
    let index = min(0.99, lowestIndex * hypot(1, rateHz / cornerHz))
    return 20 * log10((1 + index) / (1 - index))
  }

  /// Returns the factor that makes swings of any rate comparable with slow ones.
  static func weight(rateHz: Double) -> Double { depthDb(rateHz: 0) / depthDb(rateHz: rateHz) }
}
