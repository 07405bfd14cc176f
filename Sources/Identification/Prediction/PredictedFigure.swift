import Foundation

/// A figure of a cell that can be predicted, on the scale on which its effects add up.
///
/// Processor time, shares and errors of pitch vary in proportion, so they are predicted as
/// logarithms, with an offset where they may be 0.
public enum PredictedFigure: String, Codable, CaseIterable, Sendable {
  case latency = "latency.onset"
  case impulseLatency = "latency.impulse"
  case pitch = "pitch.residual"
  case formants = "formant.ratio"
  case cost = "cpu.realtime_factor"
  case missing = "voice.missing"
  case gross = "pitch.gross_errors"
  case tremolo = "tremolo.depth"
  case tilt = "timbre.tilt_change"
  case consonants = "consonant.lost"
  case clicks = "clicks.count"

  /// The figures on which a choice of settings mostly depends.
  public static let deciding: [PredictedFigure] = [.latency, .pitch, .formants, .cost, .missing]

  /// Id of the metric.
  public var metric: String { rawValue }

  /// Returns false for a voice's figure on a probe, and for that of impulses on a voice.
  func applies(to place: CellPlace) -> Bool {
    switch self {
    case .cost: true
    case .impulseLatency: place.isProbe
    default: !place.isProbe
    }
  }

  public enum Tolerance: Equatable, Sendable {
    case absolute(Double)
    /// A share of the measured value.
    case relative(Double)

    /// The tolerance in the unit of a value.
    func amount(of value: Double) -> Double {
      switch self {
      case .absolute(let most): most
      case .relative(let share): share * abs(value)
      }
    }
  }

  /// Largest useful error of a prediction.
  public var tolerance: Tolerance {
    switch self {
    case .latency, .impulseLatency: .absolute(0.5)
    case .pitch: .absolute(2)
    case .formants: .relative(0.02)
    case .cost: .relative(0.10)
    case .missing, .gross: .absolute(0.01)
    case .tremolo: .absolute(0.87)
    case .tilt: .absolute(1)
    case .consonants: .absolute(0.04)
    case .clicks: .absolute(4)
    }
  }

  /// True if a prediction is within the tolerance of a measured value.
  public func isWithinTolerance(_ predicted: Double, of measured: Double) -> Bool {
    // Rounding must not decide.
    abs(predicted - measured) <= tolerance.amount(of: measured) * (1 + 1e-9)
  }

  /// Added before the logarithm is taken; `nil` for figures whose effects add up as they are.
  private var logOffset: Double? {
    switch self {
    case .latency, .impulseLatency, .tremolo, .tilt: nil
    case .formants: 0
    case .cost: 0
    case .pitch: 1
    case .missing, .gross, .consonants: 0.01
    case .clicks: 1
    }
  }

  /// Returns a measured value on the additive scale; `nil` if it has no place there.
  func additive(_ value: Double) -> Double? {
    guard let offset = logOffset else { return value }
    return value + offset > 0 ? log(value + offset) : nil
  }

  /// The measured value of a number on the additive scale.
  func measured(_ additive: Double) -> Double {
    guard let offset = logOffset else { return self == .tremolo ? max(0, additive) : additive }
    let value = exp(min(additive, 50)) - offset
    return switch self {
    case .missing, .gross, .consonants: min(1, max(0, value))
    case .clicks, .pitch: max(0, value)
    default: value
    }
  }
}
