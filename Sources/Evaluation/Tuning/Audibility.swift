import Foundation
import Yams

/// The smallest difference of one attribute that listeners notice, with its conditions and sources.
///
/// Where sources of matching conditions disagree, `threshold` is the stricter. The table is
/// audibility.yaml.
public struct Audibility: Decodable, Sendable {
  /// A publication.
  public struct Source: Decodable, Sendable {
    /// Authors, title and year.
    public var reference: String
    /// The finding in one line.
    public var finding: String
    private var checked: Bool?

    /// True if the finding was read in the publication's own abstract or text.
    public var isChecked: Bool { checked ?? true }
  }

  /// Name of the attribute in words.
  public var attribute: String
  /// The axis of `tune` that uses it; `nil` for a threshold that no axis needs yet.
  public var axis: TuneAxis?
  /// Just-noticeable difference, in `unit`.
  public var threshold: Double
  /// Thresholds under other conditions, from the strictest to the most tolerant.
  public var range: ClosedRange<Double>
  public var unit: String
  /// Conditions under which `threshold` holds.
  public var conditions: String
  /// Largest value that the measure gives an unharmed voice, if that exceeds the threshold.
  public var noise: Double?
  public var sources: [Source]

  /// One step of `tune`: the threshold, or the noise of the measure if that is larger.
  public var step: Double { max(threshold, noise ?? 0) }

  /// All thresholds, pitch first.
  public static let all = try! YAMLDecoder().decode(
    [Audibility].self, from: Data(PackageResources.audibility_yaml))

  /// Returns the threshold that an axis uses.
  public static func of(_ axis: TuneAxis) -> Audibility? { all.first { $0.axis == axis } }
}

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
