import DSP
import Foundation

/// When a sound goes over from one known pitch to another, to a fraction of a period: sharper than
/// any pitch track, which hears several periods at once.
///
/// Up to the right instant, every sample is like the one a period of the old pitch earlier; from it
/// on, like the one a period of the new pitch later; and neither looks across. The instant of least
/// error is the answer. Octaves are told apart like any other step.
///
/// - Domain: steps that are sudden or faster than a period or two; of a slow glide it is some
///   instant in the middle, and `contrast` says how little that explains. One voice at a time.
/// - Cost: a few sums for each sample looked at.
public struct StepInstant: Codable, Equatable, Sendable {
  /// Why there is no answer.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case outside
    case noStep
    case unclear(contrast: Double)

    public var description: String {
      switch self {
      case .outside: "the search leaves no two periods of sound on either side"
      case .noStep: "the two pitches are within 20 cents of each other"
      case .unclear(let contrast):
        "no instant parts the two pitches (contrast \((contrast * 100).rounded() / 100))"
      }
    }
  }

  public var timeSeconds: Double
  /// From when it was asked for.
  public var delayMs: Double
  /// The share of the error of the better pitch alone that the change explains, 0 to 1.
  public var contrast: Double

  /// Rates below lose too much between samples.
  private static let rateHz = 48_000.0

  /// - Parameters:
  ///   - step: from the pitch heard before to the pitch heard after; a few cents' error does no
  ///     harm.
  ///   - withinMs: how long after the command to look; a quarter of it before.
  ///   - leastContrast: below this, the answer would be a guess.
  public init(
    in signal: Signal, of step: PitchStep, withinMs: Double = 150, leastContrast: Double = 0.5
  ) throws(Failure) {
    guard step.fromHz >= 20, step.toHz >= 20, step.timeSeconds.isFinite, withinMs > 0,
      withinMs.isFinite
    else { throw .outside }
    guard abs(step.sizeCents) > 20 else { throw .noStep }
    let sound = Signal(
      signal.samples.map { $0.isFinite ? $0 : 0 }, sampleRateHz: signal.sampleRateHz
    ).resampled(to: Self.rateHz)
    let (old, new) = (Self.rateHz / step.fromHz, Self.rateHz / step.toHz)
    let startS = step.timeSeconds - withinMs / 4000
    let endS = step.timeSeconds + withinMs / 1000
    guard startS * Self.rateHz > 2 * old, endS * Self.rateHz + 2 * new < Double(sound.count) else {
      throw .outside
    }
    let range = Int(startS * Self.rateHz)..<Int(endS * Self.rateHz)

    // The cost of an instant: errors of the old pitch before it, of the new one from it on.
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
    guard contrast >= leastContrast else { throw .unclear(contrast: contrast) }
    timeSeconds = Double(instant) / Self.rateHz
    delayMs = (timeSeconds - step.timeSeconds) * 1000
  }

  /// The square of how far a sample lies from the sound some samples later, on the straight line
  /// between two.
  private static func error(_ samples: [Float], at index: Int, later: Double) -> Double {
    let place = Double(index) + later
    let below = Int(place)
    let share = place - Double(below)
    let other = Double(samples[below]) * (1 - share) + Double(samples[below + 1]) * share
    return (Double(samples[index]) - other) * (Double(samples[index]) - other)
  }
}
