import DSP
import Foundation

extension HarmonicModel {
  /// The prior of a voice's path: normal distributions about `path`.
  struct Prior {
    var path: VoicePath
    /// Standard deviations of pitch, slope and curvature.
    var deviations: VoicePath
  }

  /// One Gauss-Newton step.
  struct Step {
    /// Changes of the paths' coefficients, voice by voice.
    var changes: [SIMD4<Double>]
    /// Standard deviation of each voice's pitch at the centre of the frame.
    var deviationsHz: [Double]
    /// The products of the partials' amplitudes, from which `energies(after:)` are computed.
    fileprivate var matrix: [Complex]
    /// True for each voice with at least one partial apart from those of all others.
    var standsApart: [Bool]
    /// True for each voice whose partials are all close enough to others' to be replaced by them.
    var isCrowded: [Bool]
    /// Variance of the residual if it were white noise.
    var noise: Double
    var unexplained: Double
  }

  /// Computes a step towards a better fit and applies its change of the amplitudes.
  ///
  /// - Parameters:
  ///   - priors: one per voice, or none.
  ///   - degree: 0 fits amplitudes alone, 1 also pitches, 2 also slopes, 3 also curvatures.
  /// - Returns: `nil` if there are too few samples for the number of unknowns.
  mutating func step(priors: [Prior] = [], degree: Int) -> Step? {
    let equations = equations(degree: degree)
    let now = projections()
    let freedom = frame.weightSum - HarmonicFrame.amplitudeNoise * unknowns(degree: degree)
    guard !order.isEmpty, freedom > 0.05 * frame.weightSum,
      let factor = BandedFactor(equations.matrix, first: first)
    else { return nil }
    let noise = now.energy / freedom
    let scale = 2 * noise * HarmonicFrame.pitchNoise[degree]

    // Eliminating the amplitudes leaves a small system for the paths.
    let border = equations.border.map { factor.forward($0) }
    var amplitudes = factor.forward(
      order.map { now.moments[4 * $0] * 2 + partials[$0].amplitude * -ridge })
    var corner = equations.corner
    var gradient = gradient(now, degree: degree)
    for a in gradient.indices {
      for b in 0...a { corner[a, b] -= realProduct(border[a], border[b]) }
      gradient[a] -= realProduct(border[a], amplitudes)
      let (voice, n) = (a / degree, a % degree)
      guard priors.indices.contains(voice) else { continue }
      let prior = priors[voice]
      let deviation = prior.deviations.coefficients(per: frame.halfSeconds)[n]
      let away = coefficients(voice)[n] - prior.path.coefficients(per: frame.halfSeconds)[n]
      // The last term fixes a noiseless voice without energy.
      let weight = scale / (deviation * deviation) + 1e-12 * frame.weightSum
      corner[a, a] += weight
      gradient[a] -= weight * away
    }
    guard let cornerFactor = corner.factored() else { return nil }
    let change = cornerFactor.solved(gradient)
    let spread = cornerFactor.inverseDiagonal()
    for (row, change) in zip(border, change) {
      for i in order.indices { amplitudes[i] = amplitudes[i] + row[i] * -change }
    }
    for (p, change) in zip(order, factor.backward(amplitudes)) {
      partials[p].amplitude = partials[p].amplitude + change
    }
    var (apart, clear) = (paths.map { _ in false }, paths.map { _ in false })
    for partial in partials {
      if !partial.isShared, !partial.isCovered { apart[partial.voice] = true }
      if !partial.isCrowded { clear[partial.voice] = true }
    }
    return Step(
      changes: paths.indices.map { voice in
        var value = SIMD4<Double>.zero
        for n in 0..<degree { value[n] = change[voice * degree + n] }
        return value
      },
      deviationsHz: (0..<(degree == 0 ? 0 : paths.count)).map {
        (scale * spread[$0 * degree]).squareRoot() / (2 * .pi * frame.halfSeconds)
      },
      matrix: equations.matrix, standsApart: apart, isCrowded: clear.map { !$0 }, noise: noise,
      unexplained: now.energy)
  }

  /// Returns the energy that only each voice explains, less what it would explain of noise, as of
  /// the latest step.
  ///
  /// - Cost: for each voice a factor of the other voices' equations, so more than a step.
  func energies(after step: Step) -> [Double] {
    paths.indices.map { energy(of: $0, step.matrix, noise: step.noise) }
  }

  /// Applies changes of the paths' coefficients.
  mutating func take(_ changes: [SIMD4<Double>]) {
    for voice in paths.indices {
      paths[voice] = VoicePath(
        coefficients: coefficients(voice) + changes[voice], per: frame.halfSeconds)
    }
  }

  private func coefficients(_ voice: Int) -> SIMD4<Double> {
    paths[voice].coefficients(per: frame.halfSeconds)
  }

  /// The gradient of the fit by the paths' coefficients, from the residual.
  private func gradient(_ now: Projections, degree: Int) -> [Double] {
    var gradient = [Double](repeating: 0, count: paths.count * degree)
    for p in order {
      for n in 0..<degree {
        gradient[partials[p].voice * degree + n] +=
          2 * (slope(p).conjugate * now.moments[4 * p + n + 1]).re
      }
    }
    return gradient
  }

  private func unknowns(degree: Int) -> Double {
    // Only the sum of coinciding partials is fitted.
    let twins = zip(order, order.dropFirst()).count {
      partials[$0].isShared && partials[$1].isShared
        && abs(hz($0) - hz($1)) * 2 * frame.halfSeconds < Self.sharedBins
    }
    return Double(2 * (partials.count - twins) + degree * paths.count)
  }

  /// The energy that becomes unexplained if a voice is removed and the others are fitted again.
  private func energy(of voice: Int, _ matrix: [Complex], noise: Double) -> Double {
    var (own, foreign) = (0.0, [Complex](repeating: Complex(), count: order.count))
    var (others, reach): ([Complex], [Int]) = ([], [])
    var place = [Int](repeating: 0, count: order.count)
    var at = 0
    var unknowns = 0
    for i in order.indices {
      let isMine = partials[order[i]].voice == voice
      place[i] = reach.count
      if isMine { if !partials[order[i]].isShared { unknowns += 2 } } else { reach.append(0) }
      var begins: Int?
      for j in first[i]...i {
        let value = matrix[at]
        at += 1
        let (a, b) = (partials[order[i]].amplitude, partials[order[j]].amplitude)
        switch (isMine, partials[order[j]].voice == voice) {
        case (true, true): own += (i == j ? 1 : 2) * (a.conjugate * value * b).re
        case (true, false): foreign[j] = foreign[j] + value.conjugate * a
        case (false, true): foreign[i] = foreign[i] + value * b
        case (false, false):
          if begins == nil { begins = place[j] }
          others.append(value)
        }
      }
      if !isMine { reach[place[i]] = begins ?? place[i] }
    }
    let right = order.indices.filter { partials[order[$0]].voice != voice }.map { foreign[$0] }
    guard let factor = BandedFactor(others, first: reach) else { return 0 }
    let made = factor.forward(right).reduce(0) { $0 + $1.power }
    return (own - made) / 2 - HarmonicFrame.amplitudeNoise * noise * Double(unknowns)
  }
}

private func realProduct(_ a: [Complex], _ b: [Complex]) -> Double {
  var sum = 0.0
  for i in a.indices { sum += a[i].re * b[i].re + a[i].im * b[i].im }
  return sum
}
