import DSP
import Foundation

/// Finds the voice model that best fits measured points, given prior knowledge of vocal tracts.
///
/// Levenberg-Marquardt steps from several vowels. The prior of each parameter counts as one more
/// measurement of it.
///
/// - Cost: about 400 evaluations of the model at all points. Allocates.
struct VoiceModelFit: Sendable {
  let points: EnvelopePoints
  let prior: VoicePrior
  /// The points' frequencies as `VoiceSpectrum` takes them, their levels, and the square roots of
  /// their weights, which are 0 where the last four is filled up.
  let squares: [SIMD4<Double>]
  let levelsDb: [SIMD4<Double>]
  let roots: [SIMD4<Double>]

  struct Result: Equatable, Sendable {
    var model: VoiceModel
    /// Half the weighted sum of squares, of measurements and priors.
    var cost: Double
  }

  init(_ points: EnvelopePoints, prior: VoicePrior = VoicePrior()) {
    self.points = points
    self.prior = prior
    var weights = points.weights
    for i in weights.indices {
      // Several cells of one harmonic share part of their ripple: m of them count as √m.
      weights[i] = 1 / (prior.modelErrorDb * prior.modelErrorDb + 1 / weights[i])
    }
    let spanHz = (points.hz.last ?? 0) - (points.hz.first ?? 0)
    let cells = Double(points.hz.count)
    let share = min(1, max(spanHz / points.f0Hz + 1, 1) / max(cells, 1))
    squares = VoiceSpectrum.squares(ofHz: points.hz)
    levelsDb = [SIMD4<Double>](points.levelsDb, padding: 0)
    roots = [SIMD4<Double>](weights.map { ($0 * share.squareRoot()).squareRoot() }, padding: 0)
  }

  /// Buffers that all steps of a search share.
  private struct Room {
    /// Misses of the model's levels, times the roots of the weights.
    var misses: [SIMD4<Double>]
    /// The same of a model that is tried.
    var tried: [SIMD4<Double>]
    /// The derivatives of the levels, column after column.
    var slopes: [SIMD4<Double>]

    init(rows: Int) {
      misses = Array(repeating: .zero, count: rows)
      tried = misses
      slopes = Array(repeating: .zero, count: rows * VoiceSpectrum.slopeCount)
    }
  }

  /// F1 to F3 of a man's vowels, the starting points of the search.
  private static let starts: [[Double]] = [
    [300, 2200, 2900], [450, 1900, 2550], [700, 1100, 2450], [650, 1650, 2450],
    [500, 900, 2450], [320, 900, 2300], [480, 1350, 2300],
  ]

  /// Scales of the starting points: men, women and children, relative to a man's vocal tract.
  private static let scales = [1.0, 1.2, 1.45]

  /// - Parameters:
  ///   - known: the model of a moment ago, if the vocal tract has hardly moved since. The search then
  ///     starts from it and from `guess`, otherwise from several vowels too.
  ///   - guess: a model near the voice by another method.
  func best(near known: VoiceModel? = nil, or guess: VoiceModel? = nil) -> Result? {
    guard points.hz.count >= 3 else { return nil }
    var room = Room(rows: squares.count)
    let near = [known, guess].compactMap { $0 }.map { model in
      refined(levelled(model.at(f0Hz: points.f0Hz), &room), rounds: 12, &room)
    }
    let finite = near.filter(\.cost.isFinite)
    if known != nil, let best = finite.min(by: { $0.cost < $1.cost }) { return best }
    let begun = starts(near: guess).map { refined(levelled($0, &room), rounds: 5, &room) }
    let promising = begun.sorted { $0.cost < $1.cost }.prefix(guess == nil ? 3 : 1)
    let ended = promising.map { refined($0.model, rounds: 25, &room) }
    return (finite + ended.filter(\.cost.isFinite)).min { $0.cost < $1.cost }
  }

  /// The starting points of the search, or those seven of them with an F1 near that of a guess.
  private func starts(near guess: VoiceModel?) -> [VoiceModel] {
    let all = Self.scales.flatMap { scale in
      Self.starts.map { start in
        VoiceModel(formantsHz: start.map { $0 * scale }, scale: scale, f0Hz: points.f0Hz)
      }
    }
    guard let guess else { return all }
    func distance(_ model: VoiceModel) -> Double { abs(model.values[0] - guess.values[0]) }
    return Array(all.sorted { distance($0) < distance($1) }.prefix(Self.starts.count))
  }

  /// Returns the model with its gain set to the measured level.
  private func levelled(_ model: VoiceModel, _ room: inout Room) -> VoiceModel {
    writeMisses(of: model, to: &room.misses)
    var (sum, weight) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for i in roots.indices {
      sum += roots[i] * room.misses[i]
      weight += roots[i] * roots[i]
    }
    var model = model
    model.values[VoiceModel.gainIndex] += sum.sum() / weight.sum()
    return model
  }

  private func refined(_ start: VoiceModel, rounds: Int, _ room: inout Room) -> Result {
    var model = start
    var cost = self.cost(model, &room.misses)
    var damping = 1e-2
    for _ in 0..<rounds {
      let problem = NormalEquations(of: self, at: model, room.misses, &room.slopes)
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
        let reached = self.cost(next, &room.tried)
        if reached < cost {
          improved = cost - reached > 1e-4 * cost
          (model, cost) = (next, reached)
          swap(&room.misses, &room.tried)
          damping = max(damping / 5, 1e-7)
          break
        }
        damping *= 4
      }
      if !improved { break }
    }
    return Result(model: model, cost: cost)
  }

  /// - Parameter misses: receives what `writeMisses` writes.
  private func cost(_ model: VoiceModel, _ misses: inout [SIMD4<Double>]) -> Double {
    writeMisses(of: model, to: &misses)
    let miss = misses.span
    var squares = SIMD4<Double>.zero
    for i in 0..<miss.count { squares += miss[inBounds: i] * miss[inBounds: i] }
    var sum = squares.sum()
    for i in model.values.indices {
      let (value, weight) = prior.expectation(i, of: model)
      sum += weight * (model.values[i] - value) * (model.values[i] - value)
    }
    return sum.isFinite ? sum / 2 : .infinity
  }

  /// Writes the measured levels less the model's, times the roots of the weights.
  private func writeMisses(of model: VoiceModel, to misses: inout [SIMD4<Double>]) {
    VoiceSpectrum(model).writeLevels(at: squares, to: &misses)
    let level = levelsDb.span
    let root = roots.span
    var miss = misses.mutableSpan
    for i in 0..<miss.count {
      miss[inBounds: i] = root[inBounds: i] * (level[inBounds: i] - miss[inBounds: i])
    }
  }
}
