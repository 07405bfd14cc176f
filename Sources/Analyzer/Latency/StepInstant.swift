import DSP
import Foundation

/// The instant at which a sound changes from one known pitch to another, to a fraction of a period.
/// It is more precise than any pitch track, whose windows span several periods.
///
/// Before the instant each sample should equal the one a period of the old pitch earlier; after it,
/// the one a period of the new pitch later. Neither comparison crosses the instant. The instant of
/// least error is the answer. Octaves are distinguished like any other step.
///
/// - Domain: steps that are sudden or take at most a period or two. For a slow glide the answer is
///   some instant in its middle, with a low `contrast`. One voice at a time.
/// - Cost: a few sums for each sample looked at.
public struct StepInstant: Codable, Equatable, Sendable {
  public var timeSeconds: Double
  /// Delay after the command.
  public var delayMs: Double
  /// Share of the better single pitch's error that the change explains, 0 to 1.
  public var contrast: Double

  /// Sample rate of the search; lower rates lose too much between samples.
  private static let rateHz = 48_000.0
  private static let outside = Unmeasurable(
    .outOfRange, "the search range leaves less than two periods of sound on either side")

  /// - Parameters:
  ///   - step: the pitches before and after; an error of a few cents is harmless.
  ///   - withinMs: search range after the command; a quarter of it before.
  ///   - minContrast: minimum contrast of an answer.
  public init(
    in signal: Signal, of step: PitchStep, withinMs: Double = 150, minContrast: Double = 0.5
  ) throws(Unmeasurable) {
    guard step.fromHz >= 20, step.toHz >= 20, step.timeSeconds.isFinite, withinMs > 0,
      withinMs.isFinite
    else { throw Self.outside }
    guard abs(step.sizeCents) > 20 else {
      throw Unmeasurable(.unclearSteps, "the two pitches are within 20 cents of each other")
    }
    let sound = signal.withoutNonFinite.resampled(to: Self.rateHz)
    let (old, new) = (Self.rateHz / step.fromHz, Self.rateHz / step.toHz)
    let startS = step.timeSeconds - withinMs / 4000
    let endS = step.timeSeconds + withinMs / 1000
    guard startS * Self.rateHz > 2 * old, endS * Self.rateHz + 2 * new < Double(sound.count) else {
      throw Self.outside
    }
    let range = Int(startS * Self.rateHz)..<Int(endS * Self.rateHz)

    // The cost of an instant: errors of the old pitch before it and of the new pitch after it.
    var cost = range.reduce(0) { $0 + Self.error(sound.samples, at: $1, later: new) }
    let allNew = cost
    var (least, instant) = (cost, range.lowerBound)
    for n in range {
      cost += Self.error(sound.samples, at: n, later: -old)
      cost -= Self.error(sound.samples, at: n, later: new)
      if cost < least { (least, instant) = (cost, n + 1) }
    }
    let alone = min(allNew, cost)
    contrast = alone > 0 ? 1 - max(0, least) / alone : 0
    guard contrast >= minContrast else {
      throw Unmeasurable(
        .unclearSteps,
        "no instant separates the two pitches (contrast \((contrast * 100).rounded() / 100))")
    }
    timeSeconds = Double(instant) / Self.rateHz
    delayMs = (timeSeconds - step.timeSeconds) * 1000
  }

  /// The squared difference between a sample and the sound `later` samples on, interpolated
  /// linearly.
  private static func error(_ samples: [Float], at index: Int, later: Double) -> Double {
    let place = Double(index) + later
    let below = Int(place)
    let share = place - Double(below)
    let other = Double(samples[below]) * (1 - share) + Double(samples[below + 1]) * share
    return (Double(samples[index]) - other) * (Double(samples[index]) - other)
  }
}
