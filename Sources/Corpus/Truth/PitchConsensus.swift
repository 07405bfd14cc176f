import Analyzer
import DSP
import Foundation

/// Finds the pitch of a recording that came without truth: two trackers that share no code and no
/// principle must agree.
///
/// The first correlates the sound with itself and searches a path through all frames; the second
/// matches spectra frame by frame and knows nothing of its neighbours. Where they disagree by more
/// than `widestCents`, or on whether there is a voice at all, the frame is excluded. Elsewhere the
/// first one's answer stands and the distance of the second is its uncertainty: nothing is averaged.
///
/// - Cost: about 0.015 of real time on one core. Allocates.
public enum PitchConsensus {
  /// Pitches further apart than this are two answers.
  static let widestCents = 50.0

  public static func truth(of signal: Signal) -> JuryTruth {
    verdict(
      PitchTracker.standard.track(signal), SpectralPitch(of: signal))
  }

  static func verdict(_ first: PitchTrack, _ second: SpectralPitch) -> JuryTruth {
    var truth = JuryTruth(
      track: first, uncertaintyCents: Array(repeating: nil, count: first.count), voicedCount: 0,
      excluded: [:])
    for frame in first.f0Hz.indices {
      let time = Double(frame) * first.hopSeconds
      let (a, b) = (first.f0Hz[frame], second.f0Hz(atSeconds: time))
      guard a > 0 || b > 0 else { continue }
      truth.voicedCount += 1
      if let reason = reason(a, b) {
        truth.excluded[reason, default: 0] += 1
        truth.track.f0Hz[frame] = 0
      } else {
        truth.uncertaintyCents[frame] = abs(cents(b, over: a))
      }
    }
    return truth
  }

  /// Why a frame is left out, if so.
  private static func reason(_ a: Double, _ b: Double) -> JuryTruth.Reason? {
    guard a > 0, b > 0 else { return .voicing }
    let apart = abs(cents(a, over: b))
    if apart <= widestCents { return nil }
    return abs(apart - 1200) <= widestCents ? .octave : .pitch
  }
}

/// A pitch track that leaves out what is in doubt.
public struct JuryTruth: Equatable, Sendable {
  /// Why a frame was left out.
  public enum Reason: String, CaseIterable, Codable, Sendable {
    /// One tracker hears a voice, the other none.
    case voicing
    /// They are an octave apart.
    case octave
    /// They differ otherwise.
    case pitch
  }

  /// 0 where there is no voice, and where there is doubt.
  public var track: PitchTrack
  /// In each frame of the track that has a pitch: how far the two trackers are apart.
  public var uncertaintyCents: [Double?]
  /// Frames in which at least one tracker hears a voice.
  public var voicedCount: Int
  /// Frames that were left out, by reason.
  public var excluded: [Reason: Int]

  /// Of the frames in which at least one tracker hears a voice; 0 where there are none.
  public var excludedShare: Double {
    voicedCount == 0 ? 0 : Double(excluded.values.reduce(0, +)) / Double(voicedCount)
  }
}
