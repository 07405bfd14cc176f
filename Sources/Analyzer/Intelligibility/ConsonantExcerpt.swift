import Foundation

extension ConsonantFate {
  /// The power of one consonant and its surroundings, per millisecond, in input and output.
  struct Excerpt {
    /// Input power of the consonant and its surroundings.
    private let input: [Double]
    /// Input power of the consonant alone.
    private let alone: [Double]
    /// Input power before and after the consonant. Its level may change independently: another
    /// pitch puts other harmonics into a vowel's formants.
    private let around: [Double]
    /// Output power, at each shift from the delay of the whole sound.
    private let outputs: [[Double]]
    /// Output power, at the shift at which it is most like the input.
    private var output: [Double] = []
    /// Output energy over input energy within the consonant.
    let gain: Double

    /// Milliseconds before the consonant whose sound may reach into it.
    private static let lead = 60
    /// Milliseconds after the consonant that its sound may reach into.
    private static let tail = 80

    /// Steps of the output's power per millisecond.
    static let stepsPerMs = 4
    /// Maximum shift of a consonant from the delay of the whole sound. A grain lies up to half a period early or
    /// late, which is 2 ms at 250 Hz.
    private static let maxShiftMs = 2

    /// - Parameters:
    ///   - input: power every millisecond.
    ///   - output: power at `stepsPerMs`.
    /// - Returns: `nil` if the consonant is too soft or outside the sounds.
    init?(_ phone: Phone, _ input: [Double], _ output: [Double], delayMs: Double, least: Double) {
      guard 0 <= phone.onsetSeconds, phone.offsetSeconds * 1000 < Double(input.count) + 1,
        phone.onsetSeconds < phone.offsetSeconds
      else { return nil }
      let from = Int((phone.onsetSeconds * 1000).rounded())
      let to = Int((phone.offsetSeconds * 1000).rounded())
      let delay = Int((delayMs * Double(Self.stepsPerMs)).rounded())
      let places = (from..<to).map { $0 * Self.stepsPerMs + delay }
      guard from >= 0, to > from, to <= input.count, places[0] >= 0, places.last! < output.count
      else { return nil }
      let length = to - from
      let inside = input[from..<to].reduce(0, +)
      guard inside / Double(length) > least else { return nil }
      gain = places.reduce(0) { $0 + output[$1] } / inside
      let range = from - Self.lead..<to + Self.tail
      func cut(_ values: [Double], _ steps: Int, _ shift: Int) -> [Double] {
        range.map { $0 * steps + shift }.map { values.indices.contains($0) ? values[$0] : 0 }
      }
      let here = cut(input, 1, 0)
      self.input = here
      let reach = Self.maxShiftMs * Self.stepsPerMs
      outputs = (-reach...reach).map { cut(output, Self.stepsPerMs, delay + $0) }
      alone = here.indices.map { from..<to ~= $0 + range.lowerBound ? here[$0] : 0 }
      around = here.indices.map { from..<to ~= $0 + range.lowerBound ? 0 : here[$0] }
      self.output = outputs.min {
        rest([alone, around], of: $0).rest < rest([alone, around], of: $1).rest
      }!
    }

    /// The compared steps: the consonant and half of the part after it.
    private var compared: Range<Int> { Self.lead..<input.count - Self.tail / 2 }

    /// The share of the output's energy that a plain copy of the input leaves unexplained.
    func restOfPlain() -> Double { rest([alone, around], of: output).rest }

    /// Finds the best second copy, of the whole excerpt or of the consonant alone.
    func bestCopy(minGain: Double) -> (rest: Double, delay: Int, gain: Double) {
      var best = (rest: Double.infinity, delay: 0, gain: 0.0)
      for delay in 12...60 {
        for source in [input, alone] {
          let later = Array(repeating: 0, count: delay) + source.dropLast(delay)
          let fit = rest([alone, around, later], of: output)
          guard fit.factors.count == 3, fit.factors[0] > 0, fit.factors[1] >= 0 else { continue }
          let gain = fit.factors[2] / fit.factors[0]
          if gain >= minGain, fit.rest < best.rest { best = (fit.rest, delay, gain) }
        }
      }
      return best
    }

    /// Finds the best exponential decay of the consonant.
    func bestDecay(minMs: Double) -> (rest: Double, ms: Double) {
      var best = (rest: Double.infinity, ms: 0.0)
      var ms = minMs
      while ms <= 200 {
        var (drawn, state) = ([Double](), 0.0)
        let keep = exp(-1 / ms)
        for value in alone {
          state = keep * state + (1 - keep) * value
          drawn.append(state)
        }
        // A decay is smooth, so every millisecond is enough.
        for shift in stride(from: 0, to: outputs.count, by: Self.stepsPerMs) {
          let output = outputs[shift]
          let fit = rest([drawn, around], of: output)
          if fit.rest < best.rest, fit.factors.allSatisfy({ $0 >= 0 }) { best = (fit.rest, ms) }
        }
        ms *= 1.1
      }
      return best
    }

    /// Fits a mixture of curves to an output; returns the unexplained share and each curve's factor.
    private func rest(
      _ curves: [[Double]], of output: [Double]
    ) -> (rest: Double, factors: [Double]) {
      let target = Array(output[compared])
      let energy = target.reduce(0) { $0 + $1 * $1 }
      guard energy > 0 else { return (0, []) }
      var problem = LeastSquares(target: target)
      let heard = curves.map { Array($0[compared]) }.enumerated().filter {
        $0.element.contains { $0 > 0 }
      }
      for curve in heard { problem.add(column: curve.element) }
      guard let solution = problem.solved() else { return (.infinity, []) }
      // Silent curves are not fitted; their factor stays 0.
      var factors = [Double](repeating: 0, count: curves.count)
      for (curve, factor) in zip(heard, solution) { factors[curve.offset] = factor }
      return (max(0, problem.residual(solution)) / energy, factors)
    }
  }
}
