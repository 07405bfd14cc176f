import Foundation

/// An axis by which settings are compared: a metric, its ideal value and its scale.
///
/// `tune` names metrics only here.
public enum TuneAxis: String, Codable, CaseIterable, Sendable {
  case latency, pitch, cost, intelligibility, formants, timbre

  /// Default axes, as far as the run defines them.
  public static let defaults: [TuneAxis] = [.latency, .pitch, .cost, .intelligibility]

  /// Ids of metrics; the first that has a value in a run is used. The latency that a subject states
  /// is not one of them.
  public var metrics: [String] {
    switch self {
    case .latency: ["latency.onset", "latency.impulse"]
    case .pitch: ["pitch.abs_error"]
    case .cost: ["cpu.realtime_factor"]
    case .intelligibility: ["intelligibility.estoi", "intelligibility.stoi"]
    case .formants: ["formant.ratio"]
    case .timbre: ["timbre.mcd", "envelope.lsd"]
    }
  }

  public var unit: String {
    switch self {
    case .latency: "ms"
    case .pitch: "cents"
    case .cost, .formants: "%"
    case .intelligibility: ""
    case .timbre: "dB"
    }
  }

  /// Converts a metric's value to this axis. Shares of a core and ratios become percent, and
  /// formants count alike in either direction.
  func value(_ measured: Double) -> Double {
    switch self {
    case .latency, .pitch, .intelligibility, .timbre: measured
    case .cost: 100 * measured
    case .formants: 100 * abs(measured - 1)
    }
  }

  /// The value of a perfect harmonizer.
  public var ideal: Double { self == .intelligibility ? 1 : 0 }

  /// Default difference that is worth one unit of any other axis. It is one that a listener, or a
  /// user of the processor, starts to mind; a tenth of it does not count.
  public var defaultScale: Double {
    switch self {
    case .latency, .pitch: 10
    case .cost, .formants: 5
    case .intelligibility: 0.1
    case .timbre: 2
    }
  }

  /// Distance from the ideal, in the axis's own unit; smaller is better.
  func shortfall(_ value: Double) -> Double { abs(value - ideal) }
}
