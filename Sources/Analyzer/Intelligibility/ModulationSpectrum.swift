import DSP
import Foundation
import Statistics

/// The similarity of two sounds' modulation spectra: the spectral correlation index, -1 to 1.
///
/// In each octave band of the sound the envelope is analyzed into octaves of modulation rate, 1 to
/// 32 Hz. The index is the correlation of the two tables. Phase is ignored, so neither a delay nor
/// a gain changes it, and two sentences of one speaker may be similar. It distinguishes blurred
/// from crisp speech, not right from wrong words.
///
/// - Domain: two sounds of equal length of at least 2 s, 8 kHz and up. Less sensitive to pitch than
///   NCM: bands are wide, and rates above 45 Hz, where pitch lies, do not count.
/// - Cost: about 0.02 of real time. Allocates.
/// - Source: Gallun and Souza, "Exploring the role of the modulation spectrum in phoneme
///   recognition", Ear and Hearing 29(5), 2008; with the magnitude of the analytic signal in place
///   of half-wave rectification, and octave bands as far as 16 kHz of sampling carries.
public struct ModulationSpectrum: Equatable, Sendable {
  /// Correlation of the two tables.
  public var similarity: Double
  /// Modulation relative to the mean envelope: one row per octave of the sound, with one value per
  /// octave of rates.
  public var output: [[Double]]
  public var reference: [[Double]]

  /// Centres of the octaves of modulation rate.
  public static let ratesHz = [1.0, 2, 4, 8, 16, 32]
  /// Centres of the octaves of the sound. Those that half the sample rate would cut off are
  /// omitted.
  public static let bandsHz = [250.0, 500, 1000, 2000, 4000]

  public init(of output: Signal, against reference: Signal) throws(Unmeasurable) {
    let pair = try EnvelopePair(output, reference)
    guard output.durationSeconds >= 2 else {
      throw .tooShort(seconds: output.durationSeconds, neededSeconds: 2)
    }
    let filter = BandEnvelope.shared(
      sampleRateHz: pair.sampleRateHz, step: Int(pair.sampleRateHz / Self.envelopeHz))
    (self.output, self.reference) = ([], [])
    for centre in Self.bandsHz where centre * 2.0.squareRoot() < 0.49 * pair.sampleRateHz {
      let (x, y) = filter.values(pair.pairs, centre / 2.0.squareRoot(), centre * 2.0.squareRoot())
      self.reference.append(Self.depths(x))
      self.output.append(Self.depths(y))
    }
    guard
      let value = Statistics.pearson(self.output.flatMap(\.self), self.reference.flatMap(\.self))
    else { throw Intelligibility.silentReference }
    similarity = value
  }

  private static let envelopeHz = 125.0

  /// The root mean square of the envelope within each octave of rates, over its mean.
  private static func depths(_ envelope: [Double]) -> [Double] {
    let mean = Statistics.mean(envelope) ?? 0
    guard mean > 1e-12 else { return ratesHz.map { _ in 0 } }
    var transform = FourierTransform(count: (envelope.count + 63) / 64 * 64)
    let swings = envelope.map { Float($0 / mean - 1) }
    transform.forward(swings.span)
    let binHz = envelopeHz / Double(transform.count)
    var depths: [Double] = []
    for rate in ratesHz {
      let first = Int((rate / 2.0.squareRoot() / binHz).rounded(.up))
      let last = min(transform.binCount - 1, Int(rate * 2.0.squareRoot() / binHz))
      var power = 0.0
      for bin in first...last { power += Double(transform[bin].power) }
      depths.append((2 * power).squareRoot() / Double(envelope.count))
    }
    return depths
  }
}
