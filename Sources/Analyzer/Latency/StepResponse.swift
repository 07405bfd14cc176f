import DSP
import Foundation
import Statistics

/// A commanded change of pitch.
public struct PitchStep: Codable, Equatable, Sendable {
  /// Time of the command, or of the step in the input.
  public var timeSeconds: Double
  public var fromHz: Double
  public var toHz: Double
  /// End of the note stepped to; `nil` if it lasts until the next step.
  public var endSeconds: Double?

  public init(timeSeconds: Double, fromHz: Double, toHz: Double, endSeconds: Double? = nil) {
    (self.timeSeconds, self.fromHz, self.toHz) = (timeSeconds, fromHz, toHz)
    self.endSeconds = endSeconds
  }

  /// Size of the step; positive is up.
  public var sizeCents: Double { cents(toHz, over: fromHz) }
}

/// The response of a pitch to a commanded step: delay, rise time, overshoot and settling time.
///
/// The pitch is normalized from 0, its median before the command, to 1, its median at the end of
/// the observed time. Crossings are interpolated linearly between frames.
///
/// **Resolution.** A tracker's window spans a few periods, so a sudden step appears as a ramp. The
/// ramp is nearly symmetric about the step, which leaves `delayMs` and `meanDelayMs` correct within
/// a few milliseconds (`StepInstant` is more precise). A rise shorter than the ramp,
/// `resolutionMs`, can't be measured. The ramp is subtracted in squares, as the rise times of
/// cascaded filters add, and a rise that is not clearly longer is `nil`: "not above the
/// resolution". An overshoot that returns within the ramp is invisible.
///
/// - Source: the definitions of IEEE Std 181, "Transitions, pulses, and related waveforms".
public struct StepResponse: Codable, Equatable, Sendable {
  /// Time before the command in which the old pitch is measured.
  private static let beforeMs = 80.0
  /// Last part of that time, in which the new pitch is measured.
  private static let plateauMs = 80.0
  /// Maximum deviation from the new pitch once settled.
  private static let settledCents = 10.0
  /// Minimum step; smaller ones are lost in vibrato and jitter.
  private static let minCents = 40.0

  /// Time from the command to half of the step.
  public var delayMs: Double
  /// Mean delay of the whole response: the delay of a sudden step with the same area. A symmetric
  /// smear doesn't change it.
  public var meanDelayMs: Double
  /// Rise time from 10 % to 90 %, with the tracker's own subtracted; `nil` if not above the
  /// resolution.
  public var riseMs: Double?
  /// Overshoot beyond the new pitch; 0 if none.
  public var overshootCents: Double
  /// Time from the command until the pitch stays within `settledCents` of the new one.
  public var settleMs: Double
  /// New pitch relative to the commanded pitch.
  public var errorCents: Double
}

extension StepResponse {
  private static let outside = Unmeasurable(
    .outOfRange, "the step is too close to an end of the sound or to the next step")

  /// - Parameters:
  ///   - track: pitch of the output, on the clock of the command.
  ///   - untilSeconds: time of the next step.
  ///   - resolutionMs: rise time, 10 to 90 %, that the tracker makes of a sudden step. 16 ms suits
  ///     notes from 110 Hz up; lower ones need 24.
  ///   - withinMs: time after the command that is observed, unless the next step comes first.
  public init(
    of track: PitchTrack, to step: PitchStep, untilSeconds: Double = .infinity,
    resolutionMs: Double = 16, withinMs: Double = 500
  ) throws(Unmeasurable) {
    let hop = track.hopSeconds
    let end = min(step.timeSeconds + withinMs / 1000, untilSeconds)
    guard step.timeSeconds >= 0, step.timeSeconds < Double(track.count) * hop, step.fromHz > 0,
      step.toHz > 0
    else {
      throw Self.outside
    }
    let first = Int(((step.timeSeconds - Self.beforeMs / 1000) / hop).rounded(.up))
    let last = Int((min(end, Double(track.count) * hop) / hop).rounded(.down)) - 1
    let command = Int((min(step.timeSeconds, Double(track.count) * hop) / hop).rounded(.up))
    let plateau = Int(Self.plateauMs / 1000 / hop)
    // Half of the tracker's ramp lies before the command.
    let quiet = max(2, command - first - Int(resolutionMs / 1000 / hop))
    guard first >= 0, command - first >= quiet, plateau > 0, last - command > 2 * plateau else {
      throw Self.outside
    }
    if let silent = (first...last).first(where: { track.f0Hz[$0] <= 0 }) {
      let time = Double(silent) * hop
      throw Unmeasurable(.tooLittleVoice, "no pitch at \((time * 1000).rounded() / 1000) s")
    }

    let curve = (first...last).map { cents(track.f0Hz[$0], over: step.toHz) }
    let tail = Array(curve.suffix(plateau))
    let (old, new) = (Statistics.median(Array(curve.prefix(quiet)))!, Statistics.median(tail)!)
    let moved = new - old
    guard abs(moved) >= Self.minCents else {
      throw Unmeasurable(
        .unclearSteps, "the pitch moved by only \((moved * 10).rounded() / 10) cents")
    }
    let wander = tail.map { abs($0 - new) }.max()!
    guard wander <= Self.settledCents else {
      throw Unmeasurable(
        .unclearSteps,
        "the pitch is still \((wander * 10).rounded() / 10) cents from its last median at the end")
    }

    let shares = curve.map { ($0 - old) / moved }
    func timeMs(_ index: Double) -> Double {
      ((Double(first) + index) * hop - step.timeSeconds) * 1000
    }
    let half = Self.rising(through: 0.5, shares, after: 0)
    // What moves a whole ramp of the tracker before the command obeys no command. Any limit from 0 to 43 ms gives
    // the smoke gate the same figures.
    guard timeMs(half) >= -resolutionMs - 1000 * hop else {
      throw Unmeasurable(
        .unclearSteps, "the pitch moves \((-timeMs(half)).rounded()) ms before the command")
    }
    let low = Self.lastRising(through: 0.1, shares, before: Int(half.rounded(.up)))
    let high = Self.rising(through: 0.9, shares, after: Int(half))
    let readRiseMs = (high - low) * hop * 1000
    let squares = readRiseMs * readRiseMs - resolutionMs * resolutionMs
    let area = shares.dropFirst(quiet).reduce(0) { $0 + (1 - $1) }
    let beyond = abs(moved) * (shares.max()! - 1)
    let wandersBeyond = abs(moved) * (shares.suffix(plateau).max()! - 1)
    let away = curve.map { abs($0 - new) }
    let settled = 1 + (away.lastIndex { $0 > Self.settledCents } ?? -1)
    self.init(
      delayMs: timeMs(half), meanDelayMs: timeMs(Double(quiet) - 0.5 + area),
      riseMs: readRiseMs > 1.25 * resolutionMs ? squares.squareRoot() : nil,
      // Movement of the new pitch itself is not overshoot.
      overshootCents: beyond > wandersBeyond + 1e-9 ? beyond : 0,
      settleMs: timeMs(Self.crossing(of: Self.settledCents, away, endingAt: settled)),
      errorCents: new)
  }

  /// Returns the responses to all steps, each observed until the next or the end of its note.
  public static func all(
    of track: PitchTrack, to steps: [PitchStep], resolutionMs: Double = 16
  ) -> [Result<StepResponse, Unmeasurable>] {
    steps.enumerated().map { index, step in
      let next = index + 1 < steps.count ? steps[index + 1].timeSeconds : .infinity
      return Result { () throws(Unmeasurable) in
        try StepResponse(
          of: track, to: step, untilSeconds: min(next, step.endSeconds ?? .infinity),
          resolutionMs: resolutionMs)
      }
    }
  }

  /// The fractional index at which a curve first crosses a level upwards after `start`.
  private static func rising(through level: Double, _ curve: [Double], after start: Int) -> Double {
    let frame = curve.indices.first { $0 > start && curve[$0 - 1] < level && curve[$0] >= level }
    return crossing(of: level, curve, endingAt: frame ?? start)
  }

  /// The fractional index at which a curve last crosses a level upwards up to `end`.
  private static func lastRising(
    through level: Double, _ curve: [Double], before end: Int
  ) -> Double {
    let frame = curve.indices.last {
      0 < $0 && $0 <= end && curve[$0 - 1] < level && curve[$0] >= level
    }
    return crossing(of: level, curve, endingAt: frame ?? 0)
  }

  /// The fractional index between a frame and the one before at which the straight line meets a
  /// level.
  private static func crossing(of level: Double, _ curve: [Double], endingAt frame: Int) -> Double {
    guard frame > 0, frame < curve.count else { return Double(min(frame, curve.count - 1)) }
    let (before, after) = (curve[frame - 1], curve[frame])
    return before == after
      ? Double(frame) : Double(frame - 1) + (level - before) / (after - before)
  }
}
