import Foundation

/// The fit at one instant, with ever longer windows.
struct JointHarmonicSearch {
  private let fit: JointHarmonicFit
  private let expectedHz: [Double]
  private let priors: [HarmonicModel.Prior]
  private var model: HarmonicModel?
  private var best: [JointHarmonicFit.Outcome?]
  private var bestUncertainty: [Double]
  /// The fit of each window so far, from short to long.
  private(set) var models: [HarmonicModel] = []
  /// Variance of what each of them leaves, if it were white noise.
  private var noises: [Double] = []
  /// Index in `models` of the window that gave each voice's result.
  private var place: [Int]
  /// Share that each voice explains of what the others leave, in that window.
  private(set) var explained: [Double]
  /// Share of the sound that only this voice explains, in that window.
  private(set) var ownShares: [Double]

  /// Angular frequency of the fastest expected vibrato, in radians per second.
  private static let vibrato = 2 * Double.pi * 6.5
  /// Maximum share of the samples that the partials' unknowns may use up.
  private static let maxUsed = 0.7
  /// Error of the expected pitch, in cents, assumed when partials are added.
  private static let firstGuessCents = 60.0

  /// - Parameter expected: pitch of each voice, and how it is expected to move.
  init(_ fit: JointHarmonicFit, expected: [VoicePath]) {
    self.fit = fit
    expectedHz = expected.map(\.f0Hz)
    priors = expected.map { path in
      let cent = path.f0Hz * log(2) / 1200
      var deviations = VoicePath(f0Hz: JointHarmonicFit.deviationCents * cent)
      deviations.slopeHzPerSecond = JointHarmonicFit.slopeCentsPerSecond * cent
      deviations.curvatureHzPerSecond2 = JointHarmonicFit.curvatureCentsPerSecond2 * cent
      return HarmonicModel.Prior(path: path, deviations: deviations)
    }
    best = expectedHz.map { _ in nil }
    bestUncertainty = expectedHz.map { _ in .infinity }
    place = expectedHz.map { _ in 0 }
    explained = expectedHz.map { _ in 0 }
    ownShares = expectedHz.map { _ in 0 }
  }

  /// True if a window spans three periods of each voice and has enough samples for all partials.
  func isWide(enough seconds: Double) -> Bool {
    let partialsPerHz = expectedHz.reduce(0) { $0 + 1 / $1 }
    return seconds * (expectedHz.min() ?? 0) >= 3
      && partialsPerHz / HarmonicFrame.amplitudeNoise <= Self.maxUsed * seconds
  }

  /// Fits the frame; returns true if a longer one may improve the result.
  mutating func look(at frame: HarmonicFrame) -> Bool {
    guard frame.energy.isFinite else { return settle(.broken) }
    guard frame.energy > 1e-12 * frame.weightSum else { return settle(.silent) }
    var now = model?.moved(to: frame) ?? HarmonicModel(frame, paths: priors.map(\.path))
    var ceilingHz = JointHarmonicFit.ceilingHz
    if model == nil {
      // At the window's ends, the expected pitch must predict the phase within half a period.
      let spread = exp2(Self.firstGuessCents / 1200) - 1
      ceilingHz = max(0.5 / (spread * 2 * frame.halfSeconds), 1.2 * (expectedHz.max() ?? 0))
    }
    var last: HarmonicModel.Step?
    while true {
      let isLast = ceilingHz >= JointHarmonicFit.ceilingHz
      now.setHarmonics(
        now.paths.map { path in
          max(1, min(fit.maxHarmonics, Int(min(ceilingHz, JointHarmonicFit.ceilingHz) / path.f0Hz)))
        })
      for round in 0..<(isLast ? 6 : model == nil ? 3 : 2) {
        guard let step = now.step(priors: priors, degree: 3) else { return true }
        now.take(limited(step.changes, in: now))
        // Give up this window if a voice is off by an octave or not finite.
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
    guard let last else { return true }
    model = now
    models.append(now)
    noises.append(last.noise)
    return weigh(last, of: now)
  }

  /// Keeps each voice's result if it is the least uncertain so far.
  private mutating func weigh(_ step: HarmonicModel.Step, of model: HarmonicModel) -> Bool {
    let frame = model.frame
    let energies = model.energies(after: step)
    var isWorthwhile = false
    for (voice, path) in model.paths.enumerated() {
      // The bias of the pitch by a vibrato's fifth-order phase, which is not fitted, from the
      // moments of Hann's window.
      let bias =
        8.1e-4 * pow(Self.vibrato, 2) * abs(path.curvatureHzPerSecond2) * pow(frame.halfSeconds, 4)
      let uncertaintyHz = (pow(step.deviationsHz[voice], 2) + bias * bias).squareRoot()
      let uncertainty = 1200 * log2(1 + uncertaintyHz / path.f0Hz)
      if uncertainty < 1.3 * bestUncertainty[voice] { isWorthwhile = true }
      let energy = max(0, energies[voice])
      let share = energy / (energy + step.noise * frame.weightSum)
      let outcome: JointHarmonicFit.Outcome =
        if !step.standsApart[voice] {
          .failure(.hidden)
        } else if energy < pow(10, JointHarmonicFit.minLevelDb / 10) * frame.energy
          || share < fit.minExplained
        {
          .failure(step.isCrowded[voice] ? .hidden : .absent)
        } else if uncertainty > JointHarmonicFit.maxUncertainCents {
          .failure(.uncertain)
        } else if abs(cents(path.f0Hz, over: expectedHz[voice])) > JointHarmonicFit.maxDistanceCents
        {
          .failure(.astray)
        } else {
          .success(
            HarmonicFit.Fit(
              f0Hz: path.f0Hz, uncertaintyCents: uncertainty,
              slopeHzPerSecond: path.slopeHzPerSecond, explained: share))
        }
      // A window in which the voice moves too fast doesn't replace one that found it.
      guard
        outcome.hasPitch == best[voice]?.hasPitch ?? false
          ? uncertainty < bestUncertainty[voice] : outcome.hasPitch
      else { continue }
      (best[voice], bestUncertainty[voice]) = (outcome, uncertainty)
      (place[voice], explained[voice]) = (models.count - 1, share)
      ownShares[voice] = energy / frame.energy
    }
    return isWorthwhile
  }

  func outcomes(otherwise reason: JointHarmonicFit.NoPitch) -> [JointHarmonicFit.Outcome] {
    best.map { $0 ?? .failure(reason) }
  }

  /// Returns the fit that gave a voice's result; `nil` if no window could be fitted.
  func model(ofVoice voice: Int) -> HarmonicModel? {
    models.indices.contains(place[voice]) ? models[place[voice]] : nil
  }

  /// Returns the harmonics of a voice in the fit that gave its result; `nil` if no window could be
  /// fitted.
  func harmonics(ofVoice voice: Int, atSeconds time: Double) -> HarmonicLevels? {
    guard models.indices.contains(place[voice]) else { return nil }
    return models[place[voice]].harmonics(
      ofVoice: voice, atSeconds: time, noise: noises[place[voice]])
  }

  private mutating func settle(_ reason: JointHarmonicFit.NoPitch) -> Bool {
    for voice in best.indices where best[voice] == nil { best[voice] = .failure(reason) }
    return false
  }

  /// Limits each step of pitch to the expected error.
  private func limited(_ changes: [SIMD4<Double>], in model: HarmonicModel) -> [SIMD4<Double>] {
    changes.indices.map { voice in
      let scale = 2 * Double.pi * model.frame.halfSeconds * expectedHz[voice]
      let widest = scale * (exp2(JointHarmonicFit.deviationCents / 1200) - 1)
      let factor = min(1, widest / max(abs(changes[voice][0]), 1e-30))
      return changes[voice] * factor
    }
  }
}

extension JointHarmonicFit.Outcome {
  fileprivate var hasPitch: Bool { if case .success = self { true } else { false } }
}
