import Foundation

extension ConsonantFate {
  /// The power of one consonant and what follows, per millisecond, in input and output.
  struct Excerpt {
    /// All that sounds in the input there, with what comes just before.
    private let input: [Double]
    /// The consonant alone.
    private let alone: [Double]
    /// What sounds before and after it, whose level may change by itself: another pitch puts other
    /// harmonics into a vowel's formants.
    private let around: [Double]
    private let output: [Double]
    /// Energy of the output over that of the input, within the consonant.
    let gain: Double

    /// Milliseconds before the consonant that may still sound into it, and after it that it may
    /// sound into.
    private static let lead = 60
    private static let tail = 80

    /// `nil` where there is nothing to go by.
    init?(_ phone: Phone, _ input: [Double], _ output: [Double], delay: Int, least: Double) {
      let from = Int((phone.onsetSeconds * 1000).rounded())
      let to = Int((phone.offsetSeconds * 1000).rounded())
      guard from >= 0, to > from, to <= input.count, to + delay <= output.count, from + delay >= 0
      else { return nil }
      let length = to - from
      let inside = input[from..<to].reduce(0, +)
      guard inside / Double(length) > least else { return nil }
      gain = output[from + delay..<to + delay].reduce(0, +) / inside
      let range = from - Self.lead..<to + Self.tail
      func cut(_ values: [Double], _ shift: Int) -> [Double] {
        range.map { values.indices.contains($0 + shift) ? values[$0 + shift] : 0 }
      }
      let here = cut(input, 0)
      self.input = here
      self.output = cut(output, delay)
      alone = here.indices.map { from..<to ~= $0 + range.lowerBound ? here[$0] : 0 }
      around = here.indices.map { from..<to ~= $0 + range.lowerBound ? 0 : here[$0] }
    }

    /// Steps that are compared: the consonant and half of what follows.
    private var compared: Range<Int> { Self.lead..<input.count - Self.tail / 2 }

    /// The share of the output's energy that a plain copy of the input leaves.
    func restOfPlain() -> Double { rest([alone, around]).rest }

    /// The best second copy, of all that sounds or of the consonant alone.
    func bestCopy(leastGain: Double) -> (rest: Double, delay: Int, gain: Double) {
      var best = (rest: Double.infinity, delay: 0, gain: 0.0)
      for delay in 12...60 {
        for source in [input, alone] {
          let later = Array(repeating: 0, count: delay) + source.dropLast(delay)
          let fit = rest([alone, around, later])
          guard fit.factors.count == 3, fit.factors[0] > 0, fit.factors[1] >= 0 else { continue }
          let gain = fit.factors[2] / fit.factors[0]
          if gain >= leastGain, fit.rest < best.rest { best = (fit.rest, delay, gain) }
        }
      }
      return best
    }

    /// The best decay of the consonant.
    func bestDecay(leastMs: Double) -> (rest: Double, ms: Double) {
      var best = (rest: Double.infinity, ms: 0.0)
      var ms = leastMs
      while ms <= 200 {
        var (drawn, state) = ([Double](), 0.0)
        let keep = exp(-1 / ms)
        for value in alone {
          state = keep * state + (1 - keep) * value
          drawn.append(state)
        }
        let fit = rest([drawn, around])
        if fit.rest < best.rest, fit.factors.allSatisfy({ $0 >= 0 }) { best = (fit.rest, ms) }
        ms *= 1.1
      }
      return best
    }

    /// What the best mixture of some curves leaves of the output, and how much of each it takes.
    private func rest(_ curves: [[Double]]) -> (rest: Double, factors: [Double]) {
      let target = Array(output[compared])
      let energy = target.reduce(0) { $0 + $1 * $1 }
      guard energy > 0 else { return (0, []) }
      var problem = LeastSquares(target: target)
      let heard = curves.map { Array($0[compared]) }.enumerated().filter {
        $0.element.contains { $0 > 0 }
      }
      for curve in heard { problem.add(column: curve.element) }
      guard let solution = problem.solved() else { return (.infinity, []) }
      // Where all around is silent, its factor is 0.
      var factors = [Double](repeating: 0, count: curves.count)
      for (curve, factor) in zip(heard, solution) { factors[curve.offset] = factor }
      return (max(0, problem.residual(solution)) / energy, factors)
    }
  }
}
