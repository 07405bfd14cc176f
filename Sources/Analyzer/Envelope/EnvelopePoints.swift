import Foundation

/// Points of the spectral envelope that the harmonics of a stretch of voice sample. A moving pitch
/// samples it more densely than one instant can.
///
/// Loudness may change from instant to instant, so the level of each is estimated and removed.
struct EnvelopePoints: Equatable, Sendable {
  /// Frequencies, ascending.
  var hz: [Double] = []
  var levelsDb: [Double] = []
  /// The inverse of the variance of each level, in 1/dB².
  var weights: [Double] = []
  /// The mean pitch.
  var f0Hz = 0.0

  /// - Parameter frames: at least one.
  init(_ frames: [HarmonicLevels]) {
    f0Hz = frames.reduce(0) { $0 + $1.f0Hz } / Double(frames.count)
    let gains = Self.gains(frames)
    let widthHz = max(f0Hz / 16, Self.narrowestHz)
    let highestHz = frames.reduce(0) { max($0, $1.frequencyHz(ofHarmonic: $1.levelsDb.count)) }
    var cells = [Cell](repeating: Cell(), count: Int(highestHz / widthHz) + 1)
    let perDb = log(10.0) / 10
    for (frame, gain) in zip(frames, gains) {
      for (index, level) in frame.levelsDb.enumerated() {
        let hz = frame.frequencyHz(ofHarmonic: index + 1)
        cells[Int(hz / widthHz)].add(
          hz, exp(perDb * (level - gain)), exp(perDb * (frame.noiseDb[index] - gain)))
      }
    }
    for cell in cells where cell.count > 0 {
      guard let (cellHz, levelDb, variance) = cell.measured else { continue }
      hz.append(cellHz)
      levelsDb.append(levelDb)
      weights.append(1 / (Self.sourceVariance + variance))
    }
  }

  /// Minimum width of a cell.
  private static let narrowestHz = 15.0
  /// Variance of the source from period to period, which repeated measurement does not reduce,
  /// in dB².
  private static let sourceVariance = 0.25

  /// Variance of a level hidden in noise, in dB².
  private static let guessVariance = 36.0

  /// Measurements near one frequency, as sums of power so that noise can be subtracted.
  private struct Cell {
    var (hz, power, noise, count) = (0.0, 0.0, 0.0, 0.0)

    mutating func add(_ hz: Double, _ power: Double, _ noise: Double) {
      self.hz += hz
      self.power += power
      self.noise += noise
      count += 1
    }

    /// The mean frequency, level and variance; `nil` without power. A level hidden in noise is a
    /// guess below the detection limit, with a large variance.
    var measured: (hz: Double, levelDb: Double, variance: Double)? {
      let (all, noise) = (power / count, noise / count)
      let signal = all - noise
      // The variance of one power in noise, and of the mean of four that is subtracted.
      let variance = (2 * max(signal, 0) * noise + 1.25 * noise * noise) / count
      guard all > 0 else { return nil }
      guard signal > 0, signal * signal > 4 * variance else {
        return (hz / count, 10 * log10(variance.squareRoot()) - 3, EnvelopePoints.guessVariance)
      }
      let perRatio = 10 * 0.4342944819  // decibels per unit of the natural logarithm
      return (hz / count, 10 * log10(signal), perRatio * perRatio * variance / (signal * signal))
    }
  }

  /// The level of each frame: the mean over up to twelve lowest harmonics that all frames have.
  /// These carry most of the energy and are the most certain.
  private static func gains(_ frames: [HarmonicLevels]) -> [Double] {
    let common = min(frames.map(\.levelsDb.count).min()!, 12)
    let means = frames.map { $0.levelsDb.prefix(common).reduce(0, +) / Double(common) }
    let mean = means.reduce(0, +) / Double(means.count)
    return means.map { $0 - mean }
  }
}
