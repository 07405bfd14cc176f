/// The periods that one frame proposes, and how loud it is.
struct PitchFrame: Equatable {
  struct Candidate: Equatable {
    var f0Hz: Double
    /// Of the sound with itself a period later, at most 1: over the long window, and over the
    /// short one (the same again where that is too short for the period).
    var correlation: Double
    var nearCorrelation: Double
    /// The correlation at the last multiple of the period that the long window's lags hold.
    var persistence: Double

    /// How likely a period it is.
    var strength: Double { max(correlation, nearCorrelation - 0.05) }
  }

  var candidates: [Candidate] = []
  /// The frame's mean power.
  var power = 0.0
  /// The share of the power that stands out of the sound's noise.
  var standing = 0.0
}

/// A frame with its chosen period; the other candidates are dropped.
struct ChosenFrame: Equatable {
  /// `nil` where nothing repeats itself.
  var candidate: PitchFrame.Candidate?
  /// As in `PitchFrame`.
  var power: Double
  var standing: Double

  init(_ frame: PitchFrame, choice: Int?) {
    candidate = choice.map { frame.candidates[$0] }
    (power, standing) = (frame.power, frame.standing)
  }
}
