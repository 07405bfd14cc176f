import DSP
import Foundation

/// The fit at one instant, going from window to window.
struct JointHarmonicSearch {
  private let settings: JointHarmonicFit.Settings
  private let expectedHz: [Double]
  private let priors: [HarmonicModel.Prior]
  private var model: HarmonicModel?
  private var best: [JointHarmonicFit.Outcome?]
  private var bestUncertainty: [Double]

  /// Radians per second of the fastest vibrato to reckon with.
  private static let vibrato = 2 * Double.pi * 6.5
  /// The share of samples that the partials may use up.
  private static let mostUsed = 0.7
  /// A pitch further off than this, in cents, is not reckoned with when partials are let in.
  private static let firstGuessCents = 60.0

  init(_ settings: JointHarmonicFit.Settings, expectedHz: [Double]) {
    self.settings = settings
    self.expectedHz = expectedHz
    priors = expectedHz.map { hz in
      let cent = hz * log(2) / 1200
      var deviations = VoicePath(f0Hz: settings.deviationCents * cent)
      deviations.slopeHzPerSecond = settings.slopeCentsPerSecond * cent
      deviations.curvatureHzPerSecond2 = settings.curvatureCentsPerSecond2 * cent
      return HarmonicModel.Prior(path: VoicePath(f0Hz: hz), deviations: deviations)
    }
    best = expectedHz.map { _ in nil }
    bestUncertainty = expectedHz.map { _ in .infinity }
  }

  /// Whether a window holds three periods of each voice, and all partials leave some of it over.
  func isWide(enough seconds: Double) -> Bool {
    let partialsPerHz = expectedHz.reduce(0) { $0 + 1 / $1 }
    return seconds * (expectedHz.min() ?? 0) >= 3
      && partialsPerHz / HarmonicFrame.amplitudeNoise <= Self.mostUsed * seconds
  }

  /// Fits the frame; answers whether a longer one may be worth it.
  mutating func look(at frame: HarmonicFrame) -> Bool {
    guard frame.energy.isFinite else { return settle(.broken) }
    guard frame.energy > 1e-12 * frame.weightSum else { return settle(.silent) }
    var now = model?.moved(to: frame) ?? HarmonicModel(frame, paths: priors.map(\.path))
    var ceilingHz = settings.ceilingHz
    if model == nil {
      // Within half a period, at the window's ends, of the phase that the expected pitch gives.
      let spread = exp2(Self.firstGuessCents / 1200) - 1
      ceilingHz = max(0.5 / (spread * 2 * frame.halfSeconds), 1.2 * (expectedHz.max() ?? 0))
    }
    var last: HarmonicModel.Step?
    while true {
      let isLast = ceilingHz >= settings.ceilingHz
      now.setHarmonics(
        now.paths.map { path in
          max(1, min(settings.mostHarmonics, Int(min(ceilingHz, settings.ceilingHz) / path.f0Hz)))
        })
      for round in 0..<(isLast ? 6 : model == nil ? 3 : 2) {
        guard let step = now.step(priors: priors, degree: 3) else { return true }
        now.take(limited(step.changes, in: now))
        // Whatever wanders off by an octave, or is no number, this window has lost.
        guard zip(now.paths, expectedHz).allSatisfy({ (0.5...2).contains($0.f0Hz / $1) }) else {
          return true
        }
        last = step
        let isStill = zip(step.changes, step.deviationsHz).allSatisfy { change, deviation in
          abs(change[0]) < 0.05 * 2 * .pi * frame.halfSeconds * deviation
        }
        if round > 0 && isStill { break }
      }
      if isLast { break }
      ceilingHz *= 2
    }
    model = now
    guard let last else { return true }
    return weigh(last, of: now)
  }

  /// Keeps each voice's answer if it is the least uncertain so far.
  private mutating func weigh(_ step: HarmonicModel.Step, of model: HarmonicModel) -> Bool {
    let frame = model.frame
    var isWorthwhile = false
    for (voice, path) in model.paths.enumerated() {
      // A vibrato's fifth order of phase, which is not fitted, pulls the first by this much: by
      // Hann's moments.
      let bias =
        8.1e-4 * pow(Self.vibrato, 2) * abs(path.curvatureHzPerSecond2) * pow(frame.halfSeconds, 4)
      let uncertaintyHz = (pow(step.deviationsHz[voice], 2) + bias * bias).squareRoot()
      let uncertainty = 1200 * log2(1 + uncertaintyHz / path.f0Hz)
      if uncertainty < 1.3 * bestUncertainty[voice] { isWorthwhile = true }
      let energy = max(0, step.energies[voice])
      let explained = energy / (energy + step.noise * frame.weightSum)
      let outcome: JointHarmonicFit.Outcome =
        if !step.standsApart[voice] {
          .failure(.hidden)
        } else if energy < pow(10, settings.leastLevelDb / 10) * frame.energy
          || explained < settings.leastExplained
        {
          .failure(step.isCrowded[voice] ? .hidden : .absent)
        } else if uncertainty > settings.mostUncertainCents {
          .failure(.uncertain)
        } else if abs(cents(path.f0Hz, over: expectedHz[voice])) > settings.widestCents {
          .failure(.astray)
        } else {
          .success(
            HarmonicFit.Fit(
              f0Hz: path.f0Hz, uncertaintyCents: uncertainty,
              slopeHzPerSecond: path.slopeHzPerSecond, explained: explained))
        }
      // A window in which the voice moves too much to be followed does not undo one that heard it.
      guard
        outcome.isHeard == best[voice]?.isHeard ?? false
          ? uncertainty < bestUncertainty[voice] : outcome.isHeard
      else { continue }
      (best[voice], bestUncertainty[voice]) = (outcome, uncertainty)
    }
    return isWorthwhile
  }

  func outcomes(otherwise reason: JointHarmonicFit.Unheard) -> [JointHarmonicFit.Outcome] {
    best.map { $0 ?? .failure(reason) }
  }

  private mutating func settle(_ reason: JointHarmonicFit.Unheard) -> Bool {
    for voice in best.indices where best[voice] == nil { best[voice] = .failure(reason) }
    return false
  }

  /// No step of pitch is longer than the expected error, none leads out of the range.
  private func limited(_ changes: [SIMD4<Double>], in model: HarmonicModel) -> [SIMD4<Double>] {
    changes.indices.map { voice in
      let scale = 2 * Double.pi * model.frame.halfSeconds * expectedHz[voice]
      let widest = scale * (exp2(settings.deviationCents / 1200) - 1)
      let factor = min(1, widest / max(abs(changes[voice][0]), 1e-30))
      return changes[voice] * factor
    }
  }
}

extension JointHarmonicFit.Outcome {
  fileprivate var isHeard: Bool { if case .success = self { true } else { false } }
}
