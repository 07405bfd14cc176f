import Foundation

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

  /// Returns the slope of one voice's levels less that of another's, over the harmonics of the first that
  /// lie between clear ones of the other.
  ///
  /// A voice inside a mix lacks harmonics here and there, which would bend a slope of its own.
  ///
  /// - Parameter pairs: both voices at one instant.
  /// - Returns: `nil` if those harmonics span less than an octave of the band.
  public static func changeDbPerOctave(
    in pairs: [(reference: HarmonicLevels, voice: HarmonicLevels)],
    over band: ClosedRange<Double> = 100...5000
  ) -> Double? {
    var gathering = Gathering(over: band)
    for (reference, voice) in pairs {
      gathering.take(voice) { index in
        reference.levelDb(atHz: voice.frequencyHz(ofHarmonic: index + 1))
          .map { voice.levelsDb[index] - $0 }
      }
    }
    return gathering.tilt?.dbPerOctave
  }

  private init(dbPerOctave: Double) { self.dbPerOctave = dbPerOctave }

  /// The sums from which a tilt is computed, accumulated instant by instant.
  struct Gathering {
    private let band: ClosedRange<Double>
    private var (product, square, lowest, highest) = (0.0, 0.0, Double.infinity, 0.0)

    init(over band: ClosedRange<Double> = 100...5000) { self.band = band }

    mutating func take(_ frame: HarmonicLevels) { take(frame) { frame.levelsDb[$0] } }

    /// Takes a quantity in decibels of each clear harmonic, by its index, where there is one.
    mutating func take(_ frame: HarmonicLevels, _ quantityDb: (Int) -> Double?) {
      let heard = frame.clear.compactMap { index -> (octave: Double, weight: Double, db: Double)? in
        let hz = frame.frequencyHz(ofHarmonic: index + 1)
        guard band.contains(hz), let db = quantityDb(index) else { return nil }
        // Harmonics crowd together on a scale of octaves; weights of 1/number even that out.
        return (log2(hz), 1 / Double(index + 1), db)
      }
      guard heard.count >= 2 else { return }
      let total = heard.reduce(0) { $0 + $1.weight }
      let middle = heard.reduce(0) { $0 + $1.weight * $1.octave } / total
      for point in heard {
        let x = point.octave - middle
        product += point.weight * x * point.db
        square += point.weight * x * x
      }
      lowest = min(lowest, heard.first!.octave)
      highest = max(highest, heard.last!.octave)
    }

    var tilt: SpectralTilt? {
      guard highest - lowest >= 1, square > 0 else { return nil }
      return SpectralTilt(dbPerOctave: product / square)
    }
  }
}
