import Analyzer
import DSP

/// The delay of a sound behind the one that it was made from, by which both are aligned.
///
/// It comes from the sounds, or from the caller of a comparison. What a subject states is reported and
/// judged, but aligns nothing. Where the sounds don't tell the delay, figures that need it are undefined.
public enum SoundDelay: Equatable, Sendable {
  /// The waveforms correlate.
  case waveform(WaveformDelay)
  /// Only the loudness correlates.
  case loudness(OnsetDelay)
  /// The pitch contour fits, near the delay of the loudness if that tells one.
  case contour(ContourDelay, near: OnsetDelay?)
  /// The caller knows it.
  case given(DelayTrajectory)
  case unknown(because: Undefined)

  public static func given(ms: Double) -> SoundDelay { .given(DelayTrajectory(ms: ms)) }

  /// The delay over time, which figures of pitch follow; `nil` if it is unknown.
  public var trajectory: DelayTrajectory? {
    switch self {
    case .waveform(let found): DelayTrajectory(ms: found.delayMs)
    case .loudness(let found): DelayTrajectory(ms: found.delayMs)
    case .contour(let found, _): found.trajectory
    case .given(let known): known
    case .unknown: nil
    }
  }

  /// Largest change of a delay that counts as one delay: as far as `OnsetDelay` takes it for one.
  private static let maxChangeMs = 10.0

  /// The one delay of the whole sound; `nil` if it changes or is unknown.
  ///
  /// It is that of the loudness where four bands of it agree: a contour holds the lag of the pitch tracker.
  public var ms: Double? {
    guard let trajectory, trajectory.changeMs < Self.maxChangeMs else { return nil }
    if case .contour(_, let loudness?) = self, loudness.deviationMs != nil {
      return loudness.delayMs
    }
    return trajectory.meanMs
  }

  public var seconds: Double? { ms.map { $0 / 1000 } }

  /// Standard deviation of the delay.
  var deviationMs: Double {
    switch self {
    case .waveform, .given: 0
    case .loudness(let found): found.errorMs
    case .contour(let found, _): found.deviationMs
    case .unknown: .infinity
    }
  }

  /// The same delay as one that the caller of a comparison knows.
  var aligning: SoundDelay { ms.map { .given(ms: $0) } ?? self }

  /// The reason why there is no one delay of the whole sound.
  public var unknown: Undefined? {
    if case .unknown(let reason) = self { return reason }
    return ms == nil ? Undefined(.changingDelay, "\(trajectory!)") : nil
  }

  /// The reason why a sound with this delay has no targets.
  var noTargets: Undefined? { if case .unknown(let reason) = self { reason } else { nil } }
}

extension SoundDelay {
  /// The delay by loudness, or the reason why it tells none.
  init(_ loudness: Result<OnsetDelay, Undefined>) {
    switch loudness {
    case .success(let found): self = .loudness(found)
    case .failure(let reason): self = .unknown(because: reason)
    }
  }

  /// The delay of a sound that may have the same waveform.
  init(of output: Signal, from input: Signal) {
    let waveform = try? WaveformDelay(of: output, from: input)
    self = SoundDelay(Undefined.caught { try OnsetDelay(of: output, from: input) })
    if WaveformJump(of: output, from: input, aboutMs: ms ?? waveform?.delayMs ?? 0).isFound {
      self = .unknown(
        because: Undefined(
          .changingDelay,
          "the delay is not constant: parts of the sounds fit each other at different delays"))
    } else if let waveform, waveform.ambiguity <= WaveformDelay.maxAmbiguity {
      self = .waveform(waveform)
    } else if case .loudness(var found) = self {
      found.delayMs = found.alignmentMs
      self = .loudness(found)
    }
  }

  /// Number of deviations within which two methods agree.
  private static let maxDeviations = 3.0
  /// Largest deviation of a contour that alone tells the delay.
  private static let maxContourDeviationMs = 3.0

  /// Returns the delay by the pitch contour where that is more certain than the loudness and agrees
  /// with it, or where the loudness tells no constant delay.
  ///
  /// - Parameters:
  ///   - output: the sound, whose loudness tells how its delay changes.
  ///   - contours: what is sung, and what it would follow without a delay.
  func refined(
    _ output: Signal, from input: Signal, by contours: (heard: PitchTrack, wanted: PitchTrack)
  ) -> SoundDelay {
    let (heard, wanted) = contours
    switch self {
    case .waveform, .given, .contour: return self
    case .loudness(let loudness):
      guard
        let found = try? ContourDelay(
          of: heard, behind: wanted, about: DelayTrajectory(ms: loudness.delayMs)),
        found.deviationMs < loudness.errorMs,
        found.trajectory.distance(toMs: loudness.delayMs)
          <= Self.maxDeviations * loudness.errorMs,
        // An undelayed pair must not be shifted.
        loudness.delayMs != 0 || found.trajectory.distance(toMs: 0) > 2 * found.deviationMs
      else { return self }
      return .contour(found, near: loudness)
    case .unknown(let reason):
      let about =
        reason.code == .changingDelay
        ? OnsetDelay.change(of: output, from: input)
        : (try? ContourLag(ofUnaligned: heard, behind: wanted)).map {
          DelayTrajectory(ms: $0.lagMs)
        }
      guard let about, let found = try? ContourDelay(of: heard, behind: wanted, about: about),
        found.deviationMs <= Self.maxContourDeviationMs
      else { return self }
      return .contour(found, near: nil)
    }
  }
}
