import DSP
import Foundation
import Statistics

/// The normalized covariance measure (NCM) of speech intelligibility, 0 to 1: the correlation of
/// envelopes with those of a reference in 20 bands, weighted by each band's importance for speech.
///
/// Each band's correlation is read as a signal-to-noise ratio of -15 to 15 dB, as in the speech
/// transmission index. A gain changes nothing. A delay of a few milliseconds changes little, since
/// only rates below 16 Hz count.
///
/// - Domain: two sounds aligned in time, 8 kHz and up, at least 0.5 s. Made for speech in noise at
///   the same pitch. A change of pitch moves harmonics between the narrow lower bands, which costs
///   up to 0.4 with nothing lost (docs/reference/analyzer.md). Below 16 kHz the bands end at 3.4
///   kHz, else at 7.4 kHz.
/// - Cost: about 0.08 of real time. Allocates.
/// - Source: Ma, Hu and Loizou, "Objective measures for predicting speech intelligibility in noisy
///   conditions based on new band-importance functions", JASA 125, 2009, with bands, weights and
///   rates of its published program; after Holube and Kollmeier, JASA 100, 1996.
public struct NormalizedCovariance: Codable, Equatable, Sendable {
  public var ncm: Double
  /// Transmission index of each band, 0 to 1, from low to high; `nil` if the reference is flat
  /// there.
  public var transmission: [Double?]

  public init(of output: Signal, against reference: Signal) throws(Unmeasurable) {
    let pair = try EnvelopePair(output, reference)
    let rateHz = pair.sampleRateHz
    let edges = Self.edgesHz(sampleRateHz: rateHz)
    let filter = BandEnvelope.shared(sampleRateHz: rateHz, step: Int(rateHz / Self.envelopeHz))
    var (sum, weights) = (0.0, 0.0)
    transmission = []
    for band in 0..<Self.bandCount {
      let (low, high) = (edges[band], edges[band + 1])
      let (x, y) = filter.values(pair.pairs, low, high)
      guard let squared = Self.squaredCorrelation(x, y) else {
        transmission.append(nil)
        continue
      }
      let tiny = Double.ulpOfOne
      let ratioDb = 10 * log10((squared + tiny) / (max(0, 1 - squared) + tiny))
      let index = (min(15, max(-15, ratioDb)) + 15) / 30
      transmission.append(index)
      let weight = Self.importance((low + high) / 2)
      sum += weight * index
      weights += weight
    }
    guard weights > 0 else { throw Intelligibility.silentReference }
    ncm = sum / weights
  }

  static let bandCount = 20
  static let envelopeHz = 32.0

  /// The 21 edges of the bands, equally spaced along the cochlea.
  static func edgesHz(sampleRateHz: Double) -> [Double] {
    let (low, high) = (log10(300 / 165.0 + 1), log10((sampleRateHz / 2 - 600) / 165 + 1))
    return (0...bandCount).map {
      165 * (pow(10, low + (high - low) * Double($0) / Double(bandCount)) - 1)
    }
  }

  /// The importance of a band at `hz`, interpolated in ANSI S3.5-1997, table B.1.
  static func importance(_ hz: Double) -> Double {
    let above = min(centresHz.count - 1, max(1, centresHz.firstIndex { $0 >= hz } ?? .max))
    let share = (hz - centresHz[above - 1]) / (centresHz[above] - centresHz[above - 1])
    return importances[above - 1] + share * (importances[above] - importances[above - 1])
  }

  private static let centresHz: [Double] = [
    150, 250, 350, 450, 570, 700, 840, 1000, 1170, 1370, 1600, 1850, 2150, 2500, 2900, 3400, 4000,
    4800, 5800, 7000, 8500,
  ]
  private static let importances = [
    0.0192, 0.0312, 0.0926, 0.1031, 0.0735, 0.0611, 0.0495, 0.0440, 0.0440, 0.0490, 0.0486, 0.0493,
    0.0490, 0.0547, 0.0555, 0.0493, 0.0359, 0.0387, 0.0256, 0.0219, 0.0043,
  ]

  /// The squared correlation; `nil` if the reference is flat, 0 if the output is.
  private static func squaredCorrelation(_ x: [Double], _ y: [Double]) -> Double? {
    let (meanX, meanY) = (Statistics.mean(x) ?? 0, Statistics.mean(y) ?? 0)
    var (xx, yy, xy) = (0.0, 0.0, 0.0)
    for i in x.indices {
      xx += (x[i] - meanX) * (x[i] - meanX)
      yy += (y[i] - meanY) * (y[i] - meanY)
      xy += (x[i] - meanX) * (y[i] - meanY)
    }
    guard xx > 1e-20 else { return nil }
    return yy > 1e-20 ? xy * xy / (xx * yy) : 0
  }
}
