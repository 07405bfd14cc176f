import Foundation
import Metrics
import Sweep

/// An axis by which settings are compared: a metric, its ideal value and its scale.
///
/// The *heard* axes are faults of the sound, each on a scale of just-noticeable differences; latency
/// and cost are the price of avoiding them. `tune` names metrics only here. A user's own metric that is
/// known is an axis under its id.
public struct TuneAxis: RawRepresentable, CaseIterable, Hashable, Codable, Sendable {
  /// Frames in which a voice is silent or has no pitch.
  public static let missing = TuneAxis("missing")
  /// Frames more than 200 cents off, octave errors included.
  public static let gross = TuneAxis("gross")
  /// Pitch errors that no lag explains: a contour 2 ms late is late, not out of tune.
  public static let pitch = TuneAxis("pitch")
  public static let tremolo = TuneAxis("tremolo")
  public static let formants = TuneAxis("formants")
  public static let tilt = TuneAxis("tilt")
  public static let consonants = TuneAxis("consonants")
  public static let clicks = TuneAxis("clicks")
  public static let intelligibility = TuneAxis("intelligibility")
  public static let timbre = TuneAxis("timbre")
  public static let latency = TuneAxis("latency")
  public static let cost = TuneAxis("cost")

  /// The axes of this toolkit.
  public static let builtIn: [TuneAxis] = [
    .missing, .gross, .pitch, .tremolo, .formants, .tilt, .consonants, .clicks, .intelligibility,
    .timbre, .latency, .cost,
  ]

  /// All axes that are known.
  public static var allCases: [TuneAxis] {
    builtIn + (MetricFamily.own?.metrics ?? []).filter { $0.loss(0) != nil }.map { TuneAxis($0.id) }
  }

  public let rawValue: String

  private init(_ name: String) { rawValue = name }

  /// - Returns: `nil` for a name that is neither an axis nor an own metric with a direction.
  public init?(rawValue: String) {
    guard let axis = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = axis
  }

  /// The user's metric behind the axis; `nil` for an axis of this toolkit.
  private var own: OwnMetric? { Metric.metric(id: rawValue)?.own }

  /// Default axes, as far as the run defines them. Intelligibility and timbre repeat what the others
  /// tell and have no published difference that is just noticeable.
  public static let defaults = builtIn.filter { $0 != .intelligibility && $0 != .timbre }

  /// True for a fault of the sound, false for latency and cost.
  public var isAudible: Bool { self != .latency && self != .cost }

  /// The axes that count frames in which a voice is lost.
  static let lost: [TuneAxis] = [.missing, .gross]

  /// Ids of metrics; the first that half of the settings have is used, of latency the first that a
  /// recording has. The latency that a subject states is not one of them.
  public var metrics: [String] {
    switch self {
    case .missing: ["voice.missing"]
    case .gross: ["pitch.gross_errors"]
    case .pitch: ["pitch.residual", "pitch.abs_error"]
    case .tremolo: ["tremolo.depth"]
    case .formants: ["formant.ratio"]
    case .tilt: ["timbre.tilt_change"]
    case .consonants: ["consonant.lost"]
    case .clicks: ["clicks.count"]
    case .intelligibility: ["intelligibility.estoi", "intelligibility.stoi"]
    case .timbre: ["timbre.mcd", "envelope.lsd"]
    case .latency: CellResult.latencyMetrics
    case .cost: ["cpu.realtime_factor"]
    default: [rawValue]
    }
  }

  /// A metric that is weighed although it only describes. `latency.onset` has no value for delay lines
  /// and most songs, and impulses have no period, on which the latency of some engines depends.
  var describing: String? { self == .latency ? "latency.alignment" : nil }

  /// The metric that says how fast a modulation is.
  var rateMetric: String? { self == .tremolo ? "tremolo.rate" : nil }

  public var unit: String {
    switch self {
    case .missing, .gross, .consonants, .cost, .formants: "%"
    case .pitch: "cents"
    case .tremolo, .timbre: "dB"
    case .tilt: "dB/octave"
    case .clicks, .intelligibility: ""
    case .latency: "ms"
    default: ["ratio", "count"].contains(own?.unit) ? "" : own?.unit ?? ""
    }
  }

  /// Returns the change of a metric that listeners notice, in its unit; `nil` without a threshold of
  /// hearing (`Audibility`).
  public static func noticeableChange(of metric: String) -> Double? {
    let id = alike[metric] ?? metric
    guard let axis = builtIn.first(where: { $0.metrics.contains(id) || $0.describing == id }),
      let threshold = Audibility(rawValue: axis.rawValue)?.threshold
    else { return nil }
    return threshold / abs(axis.value(2) - axis.value(1))
  }

  /// Metrics that are heard like one of an axis.
  private static let alike = [
    "pitch.bias": "pitch.abs_error", "latency.impulse": "latency.onset",
    "latency.voice": "latency.onset",
  ]

  /// Converts a metric's value to this axis: shares and ratios become percent, deviations count alike
  /// in either direction, and the depth of a modulation is weighted by the ear's sensitivity to its
  /// rate.
  func value(_ measured: Double, rateHz: Double? = nil) -> Double {
    switch self {
    case .missing, .gross, .consonants, .cost: 100 * measured
    case .formants: 100 * abs(measured - 1)
    case .tilt: abs(measured)
    case .tremolo: measured * ModulationThreshold.weight(rateHz: rateHz ?? 0)
    default: own?.direction == .target ? abs(measured - own!.perfect) : measured
    }
  }

  /// Returns by how much a value is worse than a budget.
  func excess(_ value: Double, over budget: Double) -> Double {
    isHigherBetter ? budget - value : value - budget
  }

  private var isHigherBetter: Bool { self == .intelligibility || own?.direction == .higher }

  /// The value of a perfect harmonizer.
  public var ideal: Double {
    if let own { return own.direction == .target ? 0 : own.perfect }
    return self == .intelligibility ? 1 : 0
  }

  /// Difference that counts as one step: the threshold of hearing (`Audibility`), an exchange rate where
  /// there is none, or the minimum effect of a user's own metric.
  public var defaultScale: Double {
    Self.defaultScales[self] ?? Metric.metric(id: rawValue)?.minimumEffect ?? 1
  }

  private static let defaultScales = Dictionary(
    uniqueKeysWithValues: builtIn.map { axis in
      let unheard = axis == .intelligibility ? 0.1 : axis == .timbre ? 2.0 : 5
      return (axis, Audibility(rawValue: axis.rawValue)?.step ?? unheard)
    })

  /// Distance from the ideal, in the axis's own unit; smaller is better.
  func shortfall(_ value: Double) -> Double { abs(value - ideal) }
}

extension TuneAxis {
  /// The metric that tells how loud a voice is.
  static let levelMetric = "voice.level"

  /// Ids of all metrics that `tune` reads.
  public static var allMetrics: [String] {
    allCases.flatMap { $0.metrics + [$0.rateMetric].compactMap(\.self) } + [levelMetric]
  }

  /// The faults that tables by group show.
  public static let shownByGroup: [TuneAxis] = [.missing, .gross, .pitch]
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
