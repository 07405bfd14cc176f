import Foundation

/// One thing that settings are weighed by: a metric, what is ideal, and how much of it matters.
///
/// The only place where `tune` names metrics.
public enum TuneAxis: String, Codable, CaseIterable, Sendable {
  case latency, pitch, cost, intelligibility, formants, timbre

  /// What is weighed unless told otherwise, where the run defines it.
  public static let usual: [TuneAxis] = [.latency, .pitch, .cost, .intelligibility]

  /// Ids of metrics, the first that has a value in a run is taken. What a subject says of its own
  /// delay is none of them.
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

  /// From a metric's value to this axis: shares of a core and ratios become percent, and moved
  /// formants count alike in either direction.
  func value(_ measured: Double) -> Double {
    switch self {
    case .latency, .pitch, .intelligibility, .timbre: measured
    case .cost: 100 * measured
    case .formants: 100 * abs(measured - 1)
    }
  }

  /// What a perfect harmonizer would have.
  public var ideal: Double { self == .intelligibility ? 1 : 0 }

  /// As much of this as is worth one unit of any other axis: a difference that a listener, or
  /// whoever shares the processor, begins to mind. A tenth of it is too little to count.
  public var usualScale: Double {
    switch self {
    case .latency, .pitch: 10
    case .cost, .formants: 5
    case .intelligibility: 0.1
    case .timbre: 2
    }
  }

  /// How far from ideal, in the axis's own unit; smaller is better.
  func shortfall(_ value: Double) -> Double { abs(value - ideal) }
}
