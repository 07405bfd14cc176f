import Foundation

/// How loud a sound would be at each frequency if there were a harmonic: the spectrum without
/// its pitch.
public struct SpectralEnvelope: Codable, Equatable, Sendable {
  /// Decibels of full scale of a harmonic's amplitude, at multiples of `stepHz` from 0 on.
  public var levelsDb: [Double]
  public var stepHz: Double
  /// Between these the sound itself was heard; outside the envelope only goes on smoothly.
  public var lowestHz: Double
  public var highestHz: Double

  public init(levelsDb: [Double], stepHz: Double, lowestHz: Double, highestHz: Double) {
    precondition(!levelsDb.isEmpty && stepHz > 0, "an envelope has values")
    self.levelsDb = levelsDb
    self.stepHz = stepHz
    self.lowestHz = lowestHz
    self.highestHz = highestHz
  }

  /// At any frequency, on a straight line between two values; the last value beyond them.
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
  ///   - band: in Hz; only what both envelopes heard of it counts.
  ///   - ignoringGain: whether the mean difference is taken out first.
  /// - Returns: `nil` where they have heard less than 100 Hz in common.
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
