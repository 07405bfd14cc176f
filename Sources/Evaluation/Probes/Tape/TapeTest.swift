import Analyzer
import DSP
import Foundation
import Platform
import Subjects

/// A test signal of the bench on a tape.
public enum TapeTest: String, NamedChoice, Sendable {
  case impulses, steps, vibrato

  static let rateHz = 48_000.0
  private static let noteHz = 220.0
  private static let stepSemitones = 4.0
  private static let stepTimes = [1.0, 2, 3, 4]
  private static let modulation = ModulationProbe()

  /// The signal at `rateHz`.
  var signal: Signal {
    switch self {
    case .impulses: ProbeSounds.impulses(count: 16, sampleRateHz: Self.rateHz)
    case .steps:
      ProbeSounds.steps(
        hz: Self.noteHz, semitones: Self.stepSemitones, atSeconds: Self.stepTimes, seconds: 5,
        sampleRateHz: Self.rateHz)
    case .vibrato: Self.modulation.signal(sampleRateHz: Self.rateHz)
    }
  }

  /// Returns what the answer to the signal shows.
  ///
  /// - Parameters:
  ///   - output: the answer, as long as the signal.
  ///   - score: what the system sang.
  func findings(of output: Signal, _ score: Score) -> [ProbeFinding] {
    switch self {
    case .impulses:
      do {
        return [try LatencyProbe.impulses(of: output, from: signal, statedMs: nil)]
      } catch { return [.undefined(.latency, "impulses", error)] }
    case .steps:
      guard case .intervals(let intervals) = score.form, intervals.count == 1 else {
        return [.undefined(.step, "lead", "only one voice at an interval can be followed")]
      }
      let fromHz = Self.noteHz * exp2(intervals[0] / 12)
      return ProbeFinding.steps(
        of: output, "lead", times: Self.stepTimes, fromHz: fromHz,
        toHz: fromHz * exp2(Self.stepSemitones / 12))
    case .vibrato:
      guard case .intervals(let intervals) = score.form, intervals.count == 1 else {
        return [.undefined(.vibrato, "gain", "only one voice at an interval can be followed")]
      }
      return ControlProbe.vibratoFindings(of: output, from: signal, Self.modulation)
    }
  }

  /// Returns the finding where the answer can't be used.
  func undefined(_ reason: String) -> ProbeFinding {
    switch self {
    case .impulses: .undefined(.latency, "impulses", reason)
    case .steps: .undefined(.step, "lead", reason)
    case .vibrato: .undefined(.vibrato, "gain", reason)
    }
  }

  /// The metric that a recording must be able to show for a finding, by the finding's name.
  static let metrics = [
    "impulses": "latency", "lead.delay": "step.delay", "lead.settle": "step.settle",
    "delay": "latency.control",
  ]
}
