import Foundation

/// Finds the voice model that best fits measured points, given prior knowledge of vocal tracts.
///
/// Levenberg-Marquardt steps from several vowels. The prior of each parameter counts as one more
/// measurement of it.
///
/// - Cost: about 20 ms. Allocates.
struct VoiceModelFit: Sendable {
  let points: EnvelopePoints
  let weights: [Double]
  let prior: VoicePrior

  struct Result: Equatable, Sendable {
    var model: VoiceModel
    /// Half the weighted sum of squares, of measurements and priors.
    var cost: Double
    /// Standard deviations of the parameters; infinite where they are not computed.
    var deviations = [Double](repeating: .infinity, count: VoiceModel.parameterCount)
  }

  init(_ points: EnvelopePoints, prior: VoicePrior = VoicePrior()) {
    self.points = points
    self.prior = prior
    var weights = points.weights
    for i in weights.indices {
      // Several cells of one harmonic share the same ripple, so they count as one.
      weights[i] = 1 / (prior.modelErrorDb * prior.modelErrorDb + 1 / weights[i])
    }
    let spanHz = (points.hz.last ?? 0) - (points.hz.first ?? 0)
    let cells = Double(points.hz.count)
    let share = min(1, max(spanHz / points.f0Hz + 1, 1) / max(cells, 1))
    self.weights = weights.map { $0 * share.squareRoot() }
  }

  /// F1 to F3 of a man's vowels, the starting points of the search.
  private static let starts: [[Double]] = [
    [300, 2200, 2900], [450, 1900, 2550], [700, 1100, 2450], [650, 1650, 2450],
    [500, 900, 2450], [320, 900, 2300], [480, 1350, 2300],
  ]

  /// Scales of the starting points: men, women and children, relative to a man's vocal tract.
  private static let scales = [1.0, 1.2, 1.45]

  /// - Parameter known: the model of a moment ago, if the vocal tract has hardly moved since. The
  ///   search then starts from it alone.
  func best(near known: VoiceModel? = nil) -> Result? {
    guard points.hz.count >= 3 else { return nil }
    if let known {
      let model = levelled(known.at(f0Hz: points.f0Hz))
      let ended = refined(model, rounds: 12)
      if ended.cost.isFinite { return ended }
    }
    var begun: [Result] = []
    for scale in Self.scales {
      for start in Self.starts {
        let model = VoiceModel(
          formantsHz: start.map { $0 * scale }, scale: scale, f0Hz: points.f0Hz)
        begun.append(refined(levelled(model), rounds: 5))
      }
    }
    let promising = begun.sorted { $0.cost < $1.cost }.prefix(3)
    let ended = promising.map { refined($0.model, rounds: 25) }
    guard var best = ended.filter(\.cost.isFinite).min(by: { $0.cost < $1.cost }) else { return nil }
    if let spread = NormalEquations(of: self, at: best.model).deviations() {
      best.deviations = spread
    }
    return best
  }

  /// Returns the model with its gain set to the measured level.
  private func levelled(_ model: VoiceModel) -> VoiceModel {
    var model = model
    let misses = zip(points.levelsDb, model.levelsDb(points.hz)).map { $0 - $1 }
    model.values[VoiceModel.gainIndex] +=
      zip(misses, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
    return model
  }

  private func refined(_ start: VoiceModel, rounds: Int) -> Result {
    var model = start
    var cost = self.cost(model)
    var damping = 1e-2
    for _ in 0..<rounds {
      let problem = NormalEquations(of: self, at: model)
      var improved = false
      for _ in 0..<6 {
        guard let step = problem.step(damping: damping) else {
          damping *= 10
          continue
        }
        var next = model
        for i in step.indices { next.values[i] += max(-0.3, min(0.3, step[i])) }
        next.values[VoiceModel.gainIndex] =
          model.values[VoiceModel.gainIndex] + step[VoiceModel.gainIndex]
        let reached = self.cost(next)
        if reached < cost {
          improved = cost - reached > 1e-4 * cost
          (model, cost) = (next, reached)
          damping = max(damping / 5, 1e-7)
          break
        }
        damping *= 4
      }
      if !improved { break }
    }
    return Result(model: model, cost: cost)
  }

  private func cost(_ model: VoiceModel) -> Double {
    let levels = model.levelsDb(points.hz)
    var sum = 0.0
    for i in levels.indices {
      let miss = points.levelsDb[i] - levels[i]
      sum += weights[i] * miss * miss
    }
    for i in model.values.indices {
      let (value, weight) = prior.expectation(i, of: model)
      sum += weight * (model.values[i] - value) * (model.values[i] - value)
    }
    return sum.isFinite ? sum / 2 : .infinity
  }
}
