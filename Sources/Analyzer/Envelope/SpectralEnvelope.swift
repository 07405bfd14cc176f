import Foundation

/// The spectral envelope of a sound: the level that a harmonic would have at each frequency.
public struct SpectralEnvelope: Codable, Equatable, Sendable {
  /// Amplitudes of a harmonic in decibels of full scale, at multiples of `stepHz` from 0.
  public var levelsDb: [Double]
  public var stepHz: Double
  /// Lower end of the measured range; outside it the envelope is extrapolated smoothly.
  public var lowestHz: Double
  /// Upper end of the measured range.
  public var highestHz: Double

  public init(levelsDb: [Double], stepHz: Double, lowestHz: Double, highestHz: Double) {
    precondition(!levelsDb.isEmpty && stepHz > 0, "an envelope has values")
    self.levelsDb = levelsDb
    self.stepHz = stepHz
    self.lowestHz = lowestHz
    self.highestHz = highestHz
  }

  /// Returns the level at any frequency, interpolated linearly; constant beyond the last value.
  public func levelDb(atHz hz: Double) -> Double {
    let position = max(0, min(hz / stepHz, Double(levelsDb.count - 1)))
    let below = min(Int(position), max(levelsDb.count - 2, 0))
    guard below + 1 < levelsDb.count else { return levelsDb[below] }
    let share = position - Double(below)
    return levelsDb[below] + share * (levelsDb[below + 1] - levelsDb[below])
  }

  /// The root mean square difference of two envelopes in decibels (log-spectral distance).
  ///
  /// - Parameters:
  ///   - band: range in Hz, reduced to what both envelopes have measured.
  ///   - ignoringGain: removes the mean difference first.
  /// - Returns: `nil` if they have measured less than 100 Hz in common.
  /// - Source: Gray and Markel, "Distance measures for speech processing", IEEE Trans. ASSP 24(5),
  ///   1976.
  public func distanceDb(
    to other: SpectralEnvelope, over band: ClosedRange<Double>, ignoringGain: Bool = true
  ) -> Double? {
    let from = max(band.lowerBound, lowestHz, other.lowestHz)
    let to = min(band.upperBound, highestHz, other.highestHz)
    guard to - from >= 100 else { return nil }
    let count = Int((to - from) / 10) + 1
    let differences = (0..<count).map { index in
      let hz = from + Double(index) * (to - from) / Double(count - 1)
      return levelDb(atHz: hz) - other.levelDb(atHz: hz)
    }
    let mean = ignoringGain ? differences.reduce(0, +) / Double(count) : 0
    let square = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (square / Double(count)).squareRoot()
  }
}
