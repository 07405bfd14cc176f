/// The smallest difference of one attribute that listeners notice, with its conditions and sources.
///
/// Where sources of matching conditions disagree, `threshold` is the stricter.
public struct Audibility: Sendable {
  /// A publication.
  public struct Source: Sendable {
    /// Authors, title and year.
    public var reference: String
    /// The finding in one line.
    public var finding: String
    /// True if the finding was read in the publication's own abstract or text.
    public var isChecked: Bool

    init(_ reference: String, _ finding: String, checked: Bool = true) {
      (self.reference, self.finding, isChecked) = (reference, finding, checked)
    }
  }

  /// An axis of `tune`, by which settings are compared.
  public enum Axis: String, Sendable {
    case missing, gross, pitch, tremolo, formants, tilt, consonants, clicks, latency
  }

  /// Name of the attribute in words.
  public var attribute: String
  /// The axis of `tune` that uses it; `nil` for a threshold that no axis needs yet.
  public var axis: Axis?
  /// Just-noticeable difference, in `unit`.
  public var threshold: Double
  /// Thresholds found under other conditions, from the strictest to the most tolerant.
  public var range: ClosedRange<Double>
  public var unit: String
  /// Conditions under which `threshold` holds.
  public var conditions: String
  /// Largest value that the measure gives an unharmed voice, if that exceeds the threshold.
  public var noise: Double?
  public var sources: [Source]

  /// One step of `tune`: the threshold, or the noise of the measure if that is larger.
  public var step: Double { max(threshold, noise ?? 0) }

  /// Returns the threshold that an axis uses.
  public static func of(_ axis: Axis) -> Audibility? { all.first { $0.axis == axis } }
}
