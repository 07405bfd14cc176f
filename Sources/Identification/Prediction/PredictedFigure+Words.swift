import Files

/// How figures are shown to people: shares in percent, others in their unit.
extension PredictedFigure {
  /// Factor from a value to what is shown.
  package var shownFactor: Double {
    switch self {
    case .cost, .missing, .gross, .consonants: 100
    default: 1
    }
  }

  /// Unit of what is shown; empty for a ratio or a count.
  package var unit: String {
    switch self {
    case .latency, .impulseLatency: "ms"
    case .pitch: "cents"
    case .cost, .missing, .gross, .consonants: "%"
    case .tremolo: "dB"
    case .tilt: "dB/octave"
    case .formants, .clicks: ""
    }
  }

  /// The tolerance with its unit: "2.00 cents", "10 % of it".
  package var toleranceWords: String {
    switch tolerance {
    case .absolute(let most): "\(fixed(most * shownFactor, 2)) \(unit)"
    case .relative(let share): "\(fixed(100 * share, 0)) % of it"
    }
  }
}
