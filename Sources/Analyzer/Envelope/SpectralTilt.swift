import Foundation
import Statistics

/// The slope of a voice's spectrum: dark or bright.
///
/// - Domain: voiced sound. Absolute values mix voice and vowel, so compare equal vowels.
/// - Source: levels of harmonics as measures of the glottal source, H1-H2 among them, are reviewed
///   by Kreiman, Gerratt and Antoñanzas-Barroso, "Measures of the glottal source spectrum",
///   J. Speech Lang. Hear. Res. 50(3), 2007; the regression over octaves is ours.
public struct SpectralTilt: Equatable, Sendable {
  /// Slope of the levels over the logarithm of frequency, with equal weight for each octave;
  /// negative if the treble is weaker.
  public var dbPerOctave: Double
  /// Level of the first harmonic over the second in dB; breathy voices have more. `nil` if noise
  /// covers one of them.
  public var firstOverSecondDb: Double?

  /// - Parameters:
  ///   - frames: any number of instants, each with a level of its own.
  ///   - band: range in Hz of the harmonics used.
  /// - Returns: `nil` if the harmonics span less than an octave of the band.
  public init?(of frames: [HarmonicLevels], over band: ClosedRange<Double> = 100...5000) {
    var gathering = Gathering(over: band)
    for frame in frames { gathering.take(frame) }
    guard let tilt = gathering.tilt else { return nil }
    self = tilt
  }

  private init(dbPerOctave: Double, firstOverSecondDb: Double?) {
    (self.dbPerOctave, self.firstOverSecondDb) = (dbPerOctave, firstOverSecondDb)
  }

  /// The sums from which a tilt is computed, accumulated instant by instant.
  struct Gathering {
    private let band: ClosedRange<Double>
    private var (product, square, lowest, highest) = (0.0, 0.0, Double.infinity, 0.0)
    private var differences: [Double] = []

    init(over band: ClosedRange<Double> = 100...5000) { self.band = band }

    mutating func take(_ frame: HarmonicLevels) {
      let clear = frame.levelsDb.indices.filter { frame.levelsDb[$0] > frame.noiseDb[$0] + 6 }
      if clear.starts(with: [0, 1]) { differences.append(frame.levelsDb[0] - frame.levelsDb[1]) }
      let heard = clear.filter { band.contains(frame.frequencyHz(ofHarmonic: $0 + 1)) }
      guard heard.count >= 2 else { return }
      // Harmonics crowd together on a scale of octaves; weights of 1/number even that out.
      let weights = heard.map { 1 / Double($0 + 1) }
      let octaves = heard.map { log2(frame.frequencyHz(ofHarmonic: $0 + 1)) }
      let total = weights.reduce(0, +)
      let middle = zip(weights, octaves).reduce(0) { $0 + $1.0 * $1.1 } / total
      for (index, weight) in weights.enumerated() {
        let x = octaves[index] - middle
        product += weight * x * frame.levelsDb[heard[index]]
        square += weight * x * x
      }
      lowest = min(lowest, octaves.first!)
      highest = max(highest, octaves.last!)
    }

    var tilt: SpectralTilt? {
      guard highest - lowest >= 1, square > 0 else { return nil }
      return SpectralTilt(
        dbPerOctave: product / square, firstOverSecondDb: Statistics.median(differences))
    }
  }
}
