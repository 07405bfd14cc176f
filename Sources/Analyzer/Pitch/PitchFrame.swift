import Foundation

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
    /// Values of `CandidateEvidence`, then, unless a voice repeats clearly, of `SubharmonicSummation`.
    var evidence: [Float] = []
    /// Weight of the networks that weigh the latter too, 0 to 1.
    var harmonicsWeight = 0.0
    /// Log odds of the period, up to a constant of the frame.
    var strength = 0.0
  }

  var candidates: [Candidate] = []
  /// Mean power of the frame.
  var power = 0.0
  /// Mean power over the short window.
  var nearPower = 0.0
  /// Share of the power that exceeds the sound's noise.
  var shareAboveNoise = 0.0
  /// Power by bands, noise included.
  var bands = RoomDecay.Bands.zero
}

/// A frame with its chosen period and without the other candidates.
struct ChosenFrame: Equatable {
  /// The chosen period; `nil` if nothing repeats.
  var candidate: PitchFrame.Candidate?
  /// Log odds of the chosen period against all other candidates, from this frame alone.
  var logOdds = 0.0
  /// Powers, as in `PitchFrame`, and the share of `power` above the noise.
  var power: Double
  var nearPower: Double
  var shareAboveNoise: Double
  var bands: RoomDecay.Bands

  init(_ frame: PitchFrame, choice: Int?) {
    candidate = choice.map { frame.candidates[$0] }
    (power, nearPower, shareAboveNoise) = (frame.power, frame.nearPower, frame.shareAboveNoise)
    bands = frame.bands
    guard let choice else { return }
    let own = frame.candidates[choice]
    let others = frame.candidates.reduce(1e-9) { sum, other in
      // The same pitch, under another window, is no rival.
      abs(log2(other.f0Hz / own.f0Hz)) < 0.05 ? sum : sum + exp(other.strength - own.strength)
    }
    logOdds = -log(others)
  }
}
