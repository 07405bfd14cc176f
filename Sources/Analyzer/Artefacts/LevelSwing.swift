import DSP
import Foundation

/// The strongest regular swing that the level of a sound has and that of its reference has not: a
/// tremolo of any rate.
///
/// The difference of the two levels, where both are loud, is matched with a sine of each rate; what
/// the voice itself swings cancels. `Tremolo` needs no reference, but the rate.
///
/// - Domain: sounds aligned in time, of any pitch from 75 Hz; rates of 1 to 40 Hz; a second of sound
///   that is loud on both sides.
/// - Cost: about 0.02 of real time. Allocates.
public struct LevelSwing: Codable, Equatable, Sendable {
  public var rateHz: Double
  /// From crest to trough.
  public var depthDb: Double
  /// The share of the difference's variance that the sine explains.
  public var explained: Double
  /// Frames of 5 ms that were compared.
  public var frameCount: Int

  public init(of output: Signal, against reference: Signal) throws(ArtefactFailure) {
    try output.checkedForArtefacts(against: reference)
    let (x, y) = (
      PowerCurve(of: reference, stepMs: Self.stepMs), PowerCurve(of: output, stepMs: Self.stepMs)
    )
    let loud = zip(Self.isLoud(x.powers), Self.isLoud(y.powers)).map { $0 && $1 }
    let frames = loud.indices.filter { loud[$0] }
    let needed = Int(1000 / Self.stepMs)
    guard frames.count >= needed else {
      throw .nothingToHear("both are loud at once for less than 1 s")
    }
    let differences = frames.map { 10 * log10(y.powers[$0] / x.powers[$0]) }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let target = differences.map { $0 - mean }
    let variance = target.reduce(0) { $0 + $1 * $1 }
    let times = frames.map { Double($0) * Self.stepMs / 1000 }
    // A sine is told from its neighbours by one over the span; half of that misses little.
    let span = times.last! - times.first!
    let step = max(0.5 / span, 0.01)
    var best = (rate: 0.0, amplitude: 0.0, explained: 0.0)
    for rate in stride(from: 1, through: 40, by: step) {
      guard let fit = Self.fit(target, times, rate) else { continue }
      let explained = variance > 0 ? fit.power / variance : 0
      if explained > best.explained { best = (rate, fit.amplitude, explained) }
    }
    rateHz = best.rate
    depthDb = 2 * best.amplitude / Self.response(atHz: best.rate)
    explained = best.explained
    frameCount = frames.count
  }

  private static let stepMs = 5.0

  private static func isLoud(_ powers: [Double]) -> [Bool] {
    let sorted = powers.sorted()
    let loudest = sorted.isEmpty ? 0 : sorted[Int(0.95 * Double(sorted.count - 1))]
    return powers.map { $0 > 0.01 * loudest && $0 > 1e-10 }
  }

  /// The sine of `rate` nearest to `values`: its amplitude and how much of their squares it is.
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

  /// What the Hann window of the levels, four steps long, leaves of a swing.
  private static func response(atHz rate: Double) -> Double {
    let x = rate * 4 * stepMs / 1000
    guard x > 1e-6 else { return 1 }
    return sin(.pi * x) / (.pi * x) / (1 - x * x)
  }
}
