/// The delay of a sound over time: constant, or one that drifts or jumps.
public struct DelayTrajectory: Equatable, Sendable, CustomStringConvertible {
  /// A delay at a time of the delayed sound.
  public struct Knot: Equatable, Sendable {
    public var seconds: Double
    public var ms: Double

    public init(seconds: Double, ms: Double) { (self.seconds, self.ms) = (seconds, ms) }
  }

  /// Knots in order of time, at least one. The delay is linear between two knots, jumps between two of the
  /// same time and is constant beyond the ends.
  public let knots: [Knot]

  public init(knots: [Knot]) {
    precondition(!knots.isEmpty, "a trajectory has a knot")
    self.knots = knots
  }

  /// A constant delay.
  public init(ms: Double) { knots = [Knot(seconds: 0, ms: ms)] }

  /// A delay that jumps once.
  public init(fromMs: Double, toMs: Double, atSeconds: Double) {
    knots = [Knot(seconds: atSeconds, ms: fromMs), Knot(seconds: atSeconds, ms: toMs)]
  }

  public func ms(atSeconds time: Double) -> Double {
    guard let next = knots.firstIndex(where: { $0.seconds > time }) else { return knots.last!.ms }
    guard next > 0 else { return knots[0].ms }
    let (before, after) = (knots[next - 1], knots[next])
    let share = (time - before.seconds) / (after.seconds - before.seconds)
    return before.ms + share * (after.ms - before.ms)
  }

  public var description: String {
    func text(_ ms: Double) -> String { "\((ms * 10).rounded() / 10) ms" }
    return
      "the delay is not constant: \(text(knots[0].ms)) at first, \(text(knots.last!.ms)) at last"
  }

  /// Distance of the largest delay from the smallest.
  public var changeMs: Double { knots.map(\.ms).max()! - knots.map(\.ms).min()! }

  public var meanMs: Double { knots.map(\.ms).reduce(0, +) / Double(knots.count) }

  /// Returns the distance of a delay from the nearest delay of the trajectory.
  public func distance(toMs ms: Double) -> Double {
    max(0, knots.map(\.ms).min()! - ms, ms - knots.map(\.ms).max()!)
  }

  /// Returns the trajectory with another delay added.
  public func later(byMs ms: Double) -> DelayTrajectory {
    DelayTrajectory(knots: knots.map { Knot(seconds: $0.seconds, ms: $0.ms + ms) })
  }
}
