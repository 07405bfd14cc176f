import DSP
import Foundation

/// The most regular level modulation that a sound has and its reference lacks: a tremolo of any
/// rate.
///
/// The difference of the two levels, where both are loud, is fitted with a sine of each rate; the
/// voice's own modulation cancels. Notes and syllables of another pitch leave differences at all
/// rates, mostly slow ones, and stronger than a tremolo. A modulation therefore counts by its power
/// relative to neighbouring rates, and only if chance is an unlikely explanation. A rate at which the
/// reference swings as regularly is that of its beat, its syllables or its vibrato: there, at twice and at
/// three times that rate a difference is no tremolo. `Tremolo` needs no reference but must know the rate.
///
/// - Domain: sounds aligned in time, of any pitch from 75 Hz; rates of 1 to 40 Hz; at least 1 s in
///   which both are loud.
/// - Cost: about 0.0001 of real time for each second of the sound. Allocates.
/// - Source: significance after Schuster, "On the investigation of hidden periodicities", 1898: in
///   noise, a sine's power over its surroundings exceeds `x` at `exp(-x)` of all rates.
public struct LevelSwing: Codable, Equatable, Sendable {
  public var rateHz: Double
  /// Depth from crest to trough; 0 if no modulation is more regular than chance. Near chance it fades, as a step would
  /// tell sounds apart that nobody can.
  public var depthDb: Double
  /// Share of the difference's variance that the sine explains.
  public var explained: Double
  /// Number of 5 ms frames compared.
  public var frameCount: Int

  public init(of output: Signal, against reference: Signal) throws(Unmeasurable) {
    try output.checkedForArtefacts(against: reference)
    let (x, y) = (
      PowerCurve(of: reference, stepMs: Self.stepMs), PowerCurve(of: output, stepMs: Self.stepMs)
    )
    let loud = zip(Self.isLoud(x.powers), Self.isLoud(y.powers)).map { $0 && $1 }
    let frames = loud.indices.filter { loud[$0] }
    let needed = Int(1000 / Self.stepMs)
    guard frames.count >= needed else {
      throw .lessThanOneSecond
    }
    let target = Self.withoutMean(frames.map { 10 * log10(y.powers[$0] / x.powers[$0]) })
    let variance = target.reduce(0) { $0 + $1 * $1 }
    let times = frames.map { Double($0) * Self.stepMs / 1000 }
    // Sines one cycle per span apart are distinct; steps of half that lose little.
    let span = times.last! - times.first!
    let (slowest, step) = (max(1 / span, 0.25), 0.5 / span)
    let rates = Array(stride(from: slowest, through: 56, by: step))
    let own = Self.withoutMean(frames.map { 10 * log10(x.powers[$0]) })
    let regularities = [target, own].map {
      Self.regularities(Self.powers($0, frames, rates), rates, spanSeconds: span)
    }
    var best = (rate: 0.0, amplitude: 0.0, explained: 0.0)
    var share = 0.0
    let least = Self.chanceLimit(spanSeconds: span)
    if variance > 0,
      let place = Self.mostRegular(
        regularities[0], beyond: regularities[1], rates, spanSeconds: span)
    {
      share = min(1, (regularities[0][place] / least - 1) / (Self.sureFactor - 1))
      for part in -10...10 {
        let rate = rates[place] + 0.1 * step * Double(part)
        guard let fit = Self.fit(target, times, rate), fit.power / variance > best.explained
        else { continue }
        best = (rate, fit.amplitude, fit.power / variance)
      }
    }
    rateHz = best.rate
    depthDb = 2 * best.amplitude * share / Self.response(atHz: best.rate)
    explained = best.explained
    frameCount = frames.count
  }

  private static let stepMs = 5.0

  private static func isLoud(_ powers: [Double]) -> [Bool] {
    let sorted = powers.sorted()
    let loudest = sorted.isEmpty ? 0 : sorted[Int(0.95 * Double(sorted.count - 1))]
    return powers.map { $0 > 0.01 * loudest && $0 > 1e-10 }
  }

  private static func withoutMean(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.map { $0 - mean }
  }

  /// Returns the power of each rate relative to nearby rates; 0 outside 1 to 40 Hz.
  ///
  /// Nearby means two to six times the resolution of the span, or up to four tenths of the rate, to
  /// either side.
  private static func regularities(
    _ powers: [Double], _ rates: [Double], spanSeconds: Double
  ) -> [Double] {
    let sums = powers.runningSums
    func sum(_ range: Range<Int>) -> Double { sums[range.upperBound] - sums[range.lowerBound] }
    let stepHz = rates.count > 1 ? rates[1] - rates[0] : 1
    let near = Int((2 / spanSeconds / stepHz).rounded(.up))
    return rates.indices.map { place in
      guard 1...40 ~= rates[place] else { return 0 }
      let far = max(3 * near, Int(0.4 * rates[place] / stepHz))
      let below = max(0, place - far)..<max(0, place - near + 1)
      let above = min(rates.count, place + near)..<min(rates.count, place + far + 1)
      let floor = (sum(below) + sum(above)) / Double(max(1, below.count + above.count))
      return floor > 0 ? powers[place] / floor : 0
    }
  }

  /// Multiple of the limit of chance from which a modulation has its whole depth. With 1.6 the depths beside notes in
  /// the tests grow in larger steps, with 2.4 in smaller ones; sines without noise are far beyond.
  private static let sureFactor = 2.0

  /// The regularity that chance alone reaches at some rate in one of a hundred sounds.
  private static func chanceLimit(spanSeconds: Double) -> Double {
    log(39 * spanSeconds / 0.01)
  }

  /// The index of the most regular rate, among those at which the reference does not swing; `nil` if chance
  /// alone would be as regular in one of a hundred sounds.
  ///
  /// A sine has a side lobe up to two resolutions beside its rate.
  private static func mostRegular(
    _ difference: [Double], beyond reference: [Double], _ rates: [Double], spanSeconds: Double
  ) -> Int? {
    let least = chanceLimit(spanSeconds: spanSeconds)
    let beats = reference.indices.dropFirst().dropLast().filter { place in
      reference[place] >= max(least, reference[place - 1], reference[place + 1])
    }.flatMap { [rates[$0], 2 * rates[$0], 3 * rates[$0]] }
    return difference.indices.filter { place in
      difference[place] >= least
        && beats.allSatisfy { abs($0 - rates[place]) > 2 / spanSeconds }
    }.max { difference[$0] < difference[$1] }
  }

  /// Returns the sum of squares that a sine of each rate explains, as `fit` does for one.
  ///
  /// The normal equations need the sums of cosines and sines, alone and times the values, and of
  /// their squares, which are those of twice the rate. The sine is turned from frame to frame: in a
  /// thousand frames its error grows to 1e-13.
  private static func powers(_ target: [Double], _ frames: [Int], _ rates: [Double]) -> [Double] {
    guard let first = frames.first, let last = frames.last else { return [] }
    // Between the frames that count, both are 0.
    var values = [Double](repeating: 0, count: last - first + 1)
    var weights = values
    for (frame, value) in zip(frames, target) {
      (values[frame - first], weights[frame - first]) = (value, 1)
    }
    let (count, total) = (Double(frames.count), target.reduce(0, +))
    return rates.map { rate in
      let turn = 2 * Double.pi * rate * stepMs / 1000
      let (turnRe, turnIm) = (cos(turn), sin(turn))
      var (re, im) = (1.0, 0.0)
      var (sumRe, sumIm, valueRe, valueIm) = (0.0, 0.0, 0.0, 0.0)
      var (doubleRe, halfDoubleIm) = (0.0, 0.0)
      for n in values.indices {
        let (weight, value) = (weights[n], values[n])
        let (weightedRe, weightedIm) = (weight * re, weight * im)
        sumRe += weightedRe
        sumIm += weightedIm
        doubleRe += weightedRe * re - weightedIm * im
        halfDoubleIm += weightedRe * im
        valueRe += value * re
        valueIm += value * im
        (re, im) = (re * turnRe - im * turnIm, re * turnIm + im * turnRe)
      }
      var products = SymmetricMatrix(count: 3)
      products[0, 0] = (count + doubleRe) / 2
      products[1, 0] = halfDoubleIm
      products[1, 1] = (count - doubleRe) / 2
      products[2, 0] = sumRe
      products[2, 1] = sumIm
      products[2, 2] = count
      let right = [valueRe, valueIm, total]
      return products.factored().map { dot($0.solved(right), right) } ?? 0
    }
  }

  /// Fits a sine of `rate` to `values`; returns its amplitude and the sum of squares it explains.
  private static func fit(
    _ values: [Double], _ times: [Double], _ rate: Double
  ) -> (amplitude: Double, power: Double)? {
    let turn = 2 * Double.pi * rate
    let (cosines, sines) = (times.map { cos(turn * $0) }, times.map { sin(turn * $0) })
    var problem = LeastSquares(target: values)
    problem.add(column: cosines)
    problem.add(column: sines)
    problem.add(column: Array(repeating: 1, count: values.count))
    guard let factors = problem.solved() else { return nil }
    let square = values.reduce(0) { $0 + $1 * $1 }
    return (hypot(factors[0], factors[1]), square - problem.residual(factors))
  }

  /// The share of a modulation that the levels' Hann window of four steps passes.
  private static func response(atHz rate: Double) -> Double {
    let x = rate * 4 * stepMs / 1000
    guard x > 1e-6 else { return 1 }
    return sin(.pi * x) / (.pi * x) / (1 - x * x)
  }
}
