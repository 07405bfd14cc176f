/// A commanded change of pitch.
public struct PitchStep: Codable, Equatable, Sendable {
  /// Time of the command, or of the step in the input.
  public var timeSeconds: Double
  public var fromHz: Double
  public var toHz: Double

  public init(timeSeconds: Double, fromHz: Double, toHz: Double) {
    (self.timeSeconds, self.fromHz, self.toHz) = (timeSeconds, fromHz, toHz)
  }

  /// Size of the step; positive is up.
  public var sizeCents: Double { cents(toHz, over: fromHz) }

  /// Returns the steps of a target: changes by more than `leastCents` from one frame to the next,
  /// timed at the middle between them. Rests are not steps.
  public static func steps(of target: PitchTrack, leastCents: Double = 40) -> [PitchStep] {
    (1..<max(1, target.count)).compactMap { i in
      let (from, to) = (target.f0Hz[i - 1], target.f0Hz[i])
      guard from > 0, to > 0, abs(cents(to, over: from)) > leastCents else { return nil }
      return PitchStep(
        timeSeconds: (Double(i) - 0.5) * target.hopSeconds, fromHz: from, toHz: to)
    }
  }
}
