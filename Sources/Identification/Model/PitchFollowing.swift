import Analyzer
import DSP
import Foundation
import Metrics
import Statistics
import Subjects

/// How the pitch follows a lead that steps and swings.
public struct PitchFollowing: Codable, Equatable, Sendable {
  /// Time to half of a step of four semitones.
  public var stepDelayMs: Double
  /// Time until the pitch stays within 10 cents of the new one.
  public var settleMs: Double
  public var overshootCents: Double
  /// Share of a vibrato of 5.5 Hz that comes out; `nil` if the swing could not be read.
  public var vibratoGain: Double?

  private static let rateHz = 48_000.0
  private static let times = [1.0, 2.0]
  static let stepSeconds = 3.0

  /// Settings of the swing: three periods of 2 s, the first of them a warm-up.
  static let swing: ModulationProbe.Settings = {
    var settings = ModulationProbe.Settings()
    settings.periods = 3
    return settings
  }()

  /// Measures both sounds.
  ///
  /// - Throws: the subject's error, or the reason why no step can be read.
  init(_ bench: ProbeBench) throws {
    let sound = ProbeSounds.steps(
      hz: 220, semitones: 4, atSeconds: Self.times, seconds: Self.stepSeconds,
      sampleRateHz: Self.rateHz)
    let shift = bench.takesIntervals ? 3.0 : 0
    let output = try bench.render(sound, bench.followingScore(noteHz: 220, semitones: shift)).mix
    let (low, high) = (220 * exp2(shift / 12), 220 * exp2((shift + 4) / 12))
    let steps = Self.times.enumerated().map { index, time in
      PitchStep(
        timeSeconds: time, fromHz: index % 2 == 0 ? low : high, toHz: index % 2 == 0 ? high : low)
    }
    let all = try StepResponse.all(of: PitchTracker.standard.track(output), to: steps)
    let found = all.compactMap { try? $0.get() }
    guard !found.isEmpty else { throw try all[0].failure }
    let instants = steps.compactMap { try? StepInstant(in: output, of: $0).delayMs }
    stepDelayMs = Statistics.median(instants.isEmpty ? found.map(\.delayMs) : instants)!
    settleMs = Statistics.median(found.map(\.settleMs))!
    overshootCents = Statistics.median(found.map(\.overshootCents))!
    vibratoGain = try Self.vibratoGain(bench, shift)
  }

  private static func vibratoGain(_ bench: ProbeBench, _ shift: Double) throws -> Double? {
    let probe = try ModulationProbe(swing)
    let sound = probe.signal(sampleRateHz: rateHz)
    let output = try bench.render(sound, bench.followingScore(noteHz: 220, semitones: shift)).mix
    let tracker = PitchTracker.standard
    // The tracker's own response is divided out.
    guard let heard = try? ModulationResponse(of: tracker.track(output), to: probe),
      let judged = try? ModulationResponse(of: tracker.track(sound), to: probe),
      let out = heard.gain(atHz: 5.5), let own = judged.gain(atHz: 5.5), own > 0.1
    else { return nil }
    return out / own
  }
}

extension Result {
  /// The error; a success is a fault of the caller.
  fileprivate var failure: Failure {
    get throws {
      guard case .failure(let failure) = self else {
        throw Undefined(.unclearSteps, "the steps can't be read")
      }
      return failure
    }
  }
}
