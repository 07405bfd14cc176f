import DSP
import Foundation

/// The second pitch estimator: a least squares fit of harmonics with a gliding common pitch, around
/// an expected pitch.
///
/// It shares nothing with `PitchTracker`: it has no lags, candidates or paths, only a sum of sines,
/// and reports its uncertainty. A fit alone can't distinguish octaves, because the harmonics of a voice an
/// octave above are among those of the fit; `voice(atSeconds:expectedHz:)` does. `JointHarmonicFit` fits
/// several voices, without choosing the octave.
///
/// - Cost: about 0.1 ms an instant. Allocates.
/// - Source: Christensen and Jakobsson, "Multi-Pitch Estimation", 2009, chapter 2 (non-linear
///   least squares), with the slope as a further unknown; uncertainty from the curvature at the
///   minimum, as in the Cramér-Rao bound.
public struct HarmonicFit: Sendable {
  /// Length of the frame in periods of the expected pitch, at least `minMs`.
  private static let periods = 4.0
  private static let minMs = 20.0
  /// Maximum number of harmonics, all below `ceilingHz`; more where they end below `lowestTopHz`.
  private static let maxHarmonics = 12
  /// Frequency up to which a low voice needs harmonics: its first formant holds most of its energy.
  private static let lowestTopHz = 1000.0
  private static let ceilingHz = 5000.0
  /// Minimum share of the energy that a fit must explain.
  private static let minExplained = 0.5
  /// Maximum distance of the pitch from the expected pitch.
  private static let maxDistanceCents = 120.0

  /// The pitch at one instant.
  public struct Fit: Equatable, Sendable {
    public var f0Hz: Double
    /// Standard deviation, assuming that the residual is white noise.
    public var uncertaintyCents: Double
    /// Rate of change of the pitch.
    public var slopeHzPerSecond: Double
    /// Share of the energy in the harmonics, 0 to 1.
    public var explained: Double
  }

  private let signal: Signal
  static let rateHz = 16_000.0
  /// Relative step, 0.02 cents, after which the search stops: the next would be a hundred times
  /// smaller.
  private static let still = 1e-5
  private static let maxRounds = 8

  public init(of signal: Signal) { self.init(heard: signal.withoutInfrasound()) }

  /// - Parameter heard: sound without infrasound.
  init(heard: Signal) { signal = heard.resampled(to: Self.rateHz) }

  /// Returns the pitch around `expectedHz` at an instant; `nil` if the fit finds none.
  public func fit(atSeconds time: Double, expectedHz: Double) -> Fit? {
    converged(atSeconds: time, expectedHz: expectedHz)?.fit
  }

  /// Returns the fit around `expectedHz` in the octave in which the voice sounds: the octave above where
  /// the odd harmonics have no power, the octave below where harmonics between those of the fit have.
  public func voice(atSeconds time: Double, expectedHz: Double) -> Fit? {
    guard let (near, model) = converged(atSeconds: time, expectedHz: expectedHz) else { return nil }
    var fit = near
    let centre = Int((time * Self.rateHz).rounded())
    let half = Int(OctaveEvidence.minPeriods / fit.f0Hz / 2 * Self.rateHz) + 1
    var models: [HarmonicModel] = []
    if let frame = HarmonicFrame(signal, centre: centre, half: half) {
      var wide = model.moved(to: frame)
      for _ in 0..<2 {
        if let step = wide.step(degree: 2) { wide.take(step.changes) }
      }
      models = [wide]
    }
    let octaves = OctaveEvidence.octaves([OctaveEvidence(model, among: models, voice: 0)])
    fit.f0Hz *= exp2(Double(octaves))
    fit.slopeHzPerSecond *= exp2(Double(octaves))
    return fit
  }

  private func converged(
    atSeconds time: Double, expectedHz: Double
  ) -> (fit: Fit, model: HarmonicModel)? {
    guard expectedHz >= 1, expectedHz.isFinite, abs(time) < 1e9 else { return nil }
    let seconds = max(Self.periods / expectedHz, Self.minMs / 1000)
    let half = Int(seconds / 2 * Self.rateHz)
    let centre = Int((time * Self.rateHz).rounded())
    let harmonics = min(
      max(Self.maxHarmonics, Int(Self.lowestTopHz / expectedHz)),
      Int(Self.ceilingHz / expectedHz))
    guard harmonics > 0 else { return nil }

    guard let frame = HarmonicFrame(signal, centre: centre, half: half),
      frame.energy.isFinite, frame.energy > 1e-12
    else { return nil }
    var model = HarmonicModel(frame, paths: [VoicePath(f0Hz: expectedHz)])
    model.setHarmonics([harmonics])
    guard model.step(degree: 0) != nil else { return nil }
    for _ in 0..<Self.maxRounds {
      guard let step = model.step(degree: 2) else { return nil }
      let before = model.paths[0].f0Hz
      model.take(step.changes)
      let path = model.paths[0]
      guard path.f0Hz > 0, abs(cents(path.f0Hz, over: expectedHz)) <= Self.maxDistanceCents else {
        return nil
      }
      if abs(path.f0Hz - before) < Self.still * path.f0Hz {
        let explained = 1 - step.unexplained / frame.energy
        guard explained >= Self.minExplained else { return nil }
        let fit = Fit(
          f0Hz: path.f0Hz,
          uncertaintyCents: cents(path.f0Hz + step.deviationsHz[0], over: path.f0Hz),
          slopeHzPerSecond: path.slopeHzPerSecond, explained: explained)
        return (fit, model)
      }
    }
    return nil
  }

  /// Returns the voice at each voiced frame of `expected`, in its octave, as a pitch track with the same
  /// frames.
  ///
  /// - Parameter every: fits each n-th frame only; the others count as unvoiced.
  public func track(around expected: PitchTrack, every: Int = 1) -> PitchTrack {
    var track = PitchTrack(hopSeconds: expected.hopSeconds, f0Hz: expected.f0Hz.map { _ in 0 })
    for i in stride(from: 0, to: expected.count, by: every) where expected.f0Hz[i] > 0 {
      let time = Double(i) * expected.hopSeconds
      guard let fit = voice(atSeconds: time, expectedHz: expected.f0Hz[i]) else { continue }
      track.f0Hz[i] = fit.f0Hz
      track.voicing[i] = fit.explained
    }
    return track
  }
}
