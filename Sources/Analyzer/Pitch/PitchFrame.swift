/// The candidate periods of one frame, and its power.
struct PitchFrame: Equatable {
  struct Candidate: Equatable {
    var f0Hz: Double
    /// Correlation of the sound one period apart, at most 1, over the long window.
    var correlation: Double
    /// The same over the short window, or the long one again if the period is too long for it.
    var nearCorrelation: Double
    /// Correlation at the last multiple of the period within the long window's lags.
    var persistence: Double
    /// True if the sound repeats as well after a fraction of the period: a voice with this period
    /// would lack most of its harmonics.
    var isMultiple = false

    /// Likelihood score of the period.
    var strength: Double {
      max(correlation, nearCorrelation - 0.05) - (isMultiple ? Self.multipleCost : 0)
    }

    /// A cost at which a leap by an octave for 0.1 s outweighs both jumps.
    private static let multipleCost = 0.1
  }

  var candidates: [Candidate] = []
  /// Mean power of the frame.
  var power = 0.0
  /// Share of the power that exceeds the sound's noise.
  var shareAboveNoise = 0.0
}

/// A frame with its chosen period and without the other candidates.
struct ChosenFrame: Equatable {
  /// The chosen period; `nil` if nothing repeats.
  var candidate: PitchFrame.Candidate?
  /// Mean power, as in `PitchFrame`, and below its share above the noise.
  var power: Double
  var shareAboveNoise: Double

  init(_ frame: PitchFrame, choice: Int?) {
    candidate = choice.map { frame.candidates[$0] }
    (power, shareAboveNoise) = (frame.power, frame.shareAboveNoise)
  }
}
