import DSP
import Foundation

/// How a pitch follows a step that was asked for: when, how fast, how far beyond, and when it stays.
///
/// The pitch is read in cents, as a share of the way from the mean before the command to the mean
/// at the end of the stretch looked at. Crossings lie on straight lines between frames.
///
/// **Resolution.** A tracker hears a few periods at once, so a sudden step comes out as a ramp. The
/// ramp is nearly even around the step, which leaves `delayMs` and `meanDelayMs` right to a few
/// milliseconds (`StepInstant` is sharper); no rise can be read that is shorter than the ramp's own. `resolutionMs` is that rise; it is taken
/// off in squares, as rises of filters in a row add up, and a rise that is not clearly longer is
/// given as `nil`: "not above the resolution". A voice that overshoots and comes back within the
/// ramp doesn't show it.
///
/// - Source: the definitions of IEEE Std 181, "Transitions, pulses, and related waveforms".
public struct StepResponse: Codable, Equatable, Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// How long before the command the old pitch is looked at.
    public var beforeMs = 80.0
    /// How long after the command the voice may take, unless the next step comes first.
    public var withinMs = 500.0
    /// The last part of that time, where the new pitch is looked at.
    public var plateauMs = 80.0
    /// Settled is: stays this close to the new pitch.
    public var settledCents = 10.0
    /// Rise, 10 to 90 %, that the tracker makes of a sudden step. This is enough for notes from
    /// 110 Hz up; lower ones need 24.
    public var resolutionMs = 16.0
    /// A step smaller than this drowns in vibrato and jitter.
    public var leastCents = 40.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("beforeMs", beforeMs, in: 10...2000)
      try require("withinMs", withinMs, in: 20...10_000)
      try require("plateauMs", plateauMs, in: 10...withinMs / 2)
      try require("settledCents", settledCents, in: 0.1...200)
      try require("resolutionMs", resolutionMs, in: 0...200)
      try require("leastCents", leastCents, in: 1...2400)
    }
  }

  /// Why a step has no numbers.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case outside
    case unvoiced(atSeconds: Double)
    case noStep(movedCents: Double)
    case unsettled(rangeCents: Double)

    public var description: String {
      switch self {
      case .outside: "the step lies too near an end of the sound or the next step"
      case .unvoiced(let time):
        "no pitch at \((time * 1000).rounded() / 1000) s"
      case .noStep(let moved): "the pitch moved by only \((moved * 10).rounded() / 10) cents"
      case .unsettled(let range):
        "the pitch still moves by \((range * 10).rounded() / 10) cents at the end"
      }
    }
  }

  /// From the command to half of the way.
  public var delayMs: Double
  /// From the command to where a sudden step would have had the same area: the mean delay of the
  /// whole response. A symmetric smear doesn't change it.
  public var meanDelayMs: Double
  /// From 10 % to 90 %, the tracker's own taken off; `nil` if it is not above the resolution.
  public var riseMs: Double?
  /// The same as read from the track.
  public var readRiseMs: Double
  /// How far beyond the new pitch; 0 if nowhere.
  public var overshootCents: Double
  /// From the command until the pitch stays within `settledCents` of the new one.
  public var settleMs: Double
  /// The new pitch less what was asked for.
  public var errorCents: Double
  /// From the old pitch to the new one.
  public var movedCents: Double
}

extension StepResponse {
  /// - Parameters:
  ///   - track: of the output, on the clock of the command.
  ///   - untilSeconds: when the next step comes.
  public init(
    of track: PitchTrack, to step: PitchStep, untilSeconds: Double = .infinity,
    _ settings: Settings = Settings()
  ) throws {
    try settings.validate()
    self = try Self.measured(track, step, untilSeconds, settings)
  }

  /// The responses to all steps, each with the time until the next.
  public static func all(
    of track: PitchTrack, to steps: [PitchStep], _ settings: Settings = Settings()
  ) throws(SettingsError) -> [Result<StepResponse, Failure>] {
    try settings.validate()
    return steps.enumerated().map { index, step in
      let next = index + 1 < steps.count ? steps[index + 1].timeSeconds : .infinity
      do throws(Failure) {
        return .success(try measured(track, step, next, settings))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func measured(
    _ track: PitchTrack, _ step: PitchStep, _ untilSeconds: Double, _ settings: Settings
  ) throws(Failure) -> StepResponse {
    let hop = track.hopSeconds
    let end = min(step.timeSeconds + settings.withinMs / 1000, untilSeconds)
    guard step.timeSeconds >= 0, step.timeSeconds < Double(track.count) * hop, step.fromHz > 0,
      step.toHz > 0
    else {
      throw .outside
    }
    let first = Int(((step.timeSeconds - settings.beforeMs / 1000) / hop).rounded(.up))
    let last = Int((min(end, Double(track.count) * hop) / hop).rounded(.down)) - 1
    let command = Int((min(step.timeSeconds, Double(track.count) * hop) / hop).rounded(.up))
    let plateau = Int(settings.plateauMs / 1000 / hop)
    // The tracker's ramp reaches into the time before the command by half of its length.
    let quiet = max(2, command - first - Int(settings.resolutionMs / 1000 / hop))
    guard first >= 0, command - first >= quiet, plateau > 0, last - command > 2 * plateau else {
      throw .outside
    }
    if let silent = (first...last).first(where: { track.f0Hz[$0] <= 0 }) {
      throw .unvoiced(atSeconds: Double(silent) * hop)
    }

    let curve = (first...last).map { cents(track.f0Hz[$0], over: step.toHz) }
    let tail = Array(curve.suffix(plateau))
    let (old, new) = (Statistics.median(Array(curve.prefix(quiet)))!, Statistics.median(tail)!)
    let moved = new - old
    guard abs(moved) >= settings.leastCents else { throw .noStep(movedCents: moved) }
    let wander = tail.max()! - tail.min()!
    guard wander <= 2 * settings.settledCents else { throw .unsettled(rangeCents: wander) }

    let shares = curve.map { ($0 - old) / moved }
    func timeMs(_ index: Double) -> Double {
      ((Double(first) + index) * hop - step.timeSeconds) * 1000
    }
    let half = rising(through: 0.5, shares, after: 0)
    let low = lastRising(through: 0.1, shares, before: Int(half.rounded(.up)))
    let high = rising(through: 0.9, shares, after: Int(half))
    let readRiseMs = (high - low) * hop * 1000
    let squares = readRiseMs * readRiseMs - settings.resolutionMs * settings.resolutionMs
    let area = shares.dropFirst(quiet).reduce(0) { $0 + (1 - $1) }
    let beyond = abs(moved) * (shares.max()! - 1)
    let wandersBeyond = abs(moved) * (shares.suffix(plateau).max()! - 1)
    let away = curve.map { abs($0 - new) }
    let settled = 1 + (away.lastIndex { $0 > settings.settledCents } ?? -1)
    return StepResponse(
      delayMs: timeMs(half), meanDelayMs: timeMs(Double(quiet) - 0.5 + area),
      riseMs: readRiseMs > 1.25 * settings.resolutionMs ? squares.squareRoot() : nil,
      readRiseMs: readRiseMs,
      // What the new pitch itself does at its end is no overshoot.
      overshootCents: beyond > wandersBeyond + 1e-9 ? beyond : 0,
      settleMs: timeMs(crossing(of: settings.settledCents, away, endingAt: settled)),
      errorCents: new, movedCents: moved)
  }

  /// Where a curve first passes a level upwards from an index on, between frames.
  private static func rising(
    through level: Double, _ curve: [Double], after start: Int
  ) -> Double {
    let frame = curve.indices.first { $0 > start && curve[$0 - 1] < level && curve[$0] >= level }
    return crossing(of: level, curve, endingAt: frame ?? start)
  }

  /// Where a curve last passes a level upwards, up to an index, between frames.
  private static func lastRising(
    through level: Double, _ curve: [Double], before end: Int
  ) -> Double {
    let frame = curve.indices.last {
      0 < $0 && $0 <= end && curve[$0 - 1] < level && curve[$0] >= level
    }
    return crossing(of: level, curve, endingAt: frame ?? 0)
  }

  /// The place between a frame and the one before where the straight line meets a level.
  private static func crossing(of level: Double, _ curve: [Double], endingAt frame: Int) -> Double {
    guard frame > 0, frame < curve.count else { return Double(min(frame, curve.count - 1)) }
    let (before, after) = (curve[frame - 1], curve[frame])
    return before == after
      ? Double(frame) : Double(frame - 1) + (level - before) / (after - before)
  }
}
