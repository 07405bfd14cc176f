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
  /// Only the pitch contours fit; the loudness tells no delay.
  case pitch(ContourLag, because: Undefined)
  /// The caller knows it.
  case given(ms: Double)
  case unknown(because: Undefined)

  /// `nil` if it is unknown.
  public var ms: Double? {
    switch self {
    case .waveform(let found): found.delayMs
    case .loudness(let found): found.delayMs
    case .pitch(let found, _): found.lagMs
    case .given(let ms): ms
    case .unknown: nil
    }
  }

  public var seconds: Double? { ms.map { $0 / 1000 } }

  /// The same delay as one that the caller of a comparison knows.
  var aligning: SoundDelay { ms.map { .given(ms: $0) } ?? self }

  /// The reason for an unknown delay.
  public var unknown: Undefined? {
    if case .unknown(let reason) = self { reason } else { nil }
  }
}

extension SoundDelay {
  /// The delay of a sound whose pitch may differ, by its loudness.
  init(ofLoudness output: Signal, from input: Signal) {
    do { self = .loudness(try OnsetDelay(of: output, from: input)) } catch {
      self = .unknown(because: Undefined(error))
    }
  }

  /// The delay of a sound that may have the same waveform.
  init(of output: Signal, from input: Signal) {
    let waveform = try? WaveformDelay(of: output, from: input)
    self = SoundDelay(ofLoudness: output, from: input)
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

  /// Returns the delay by the pitch contour where the loudness tells none.
  ///
  /// - Parameter contours: what is sung, and what it would follow without a delay.
  func orPitch(_ contours: () -> (heard: PitchTrack, wanted: PitchTrack)?) -> SoundDelay {
    guard let reason = unknown, reason.code != .changingDelay, let (heard, wanted) = contours(),
      let found = try? ContourLag(ofUnaligned: heard, behind: wanted)
    else { return self }
    return .pitch(found, because: reason)
  }
}
