import Analyzer
import DSP
import Foundation

/// Finds the pitch of a recording without annotated pitch: two trackers that share neither code nor
/// principle must agree.
///
/// The first tracker uses autocorrelation and a path through all frames; the second matches the
/// spectrum of each frame alone. A frame is excluded if they differ by more than `maxDistanceCents`, or if
/// only one finds a voice. In all others the pitch is the first tracker's, and its uncertainty is the
/// distance to the second; nothing is averaged. Where they differ in most voiced frames, none has a pitch:
/// several voices sound, or none that is steady.
///
/// - Cost: about 0.015 of real time on one core. Allocates.
public enum PitchConsensus {
  /// Largest distance of two pitches that agree.
  static let maxDistanceCents = 50.0

  /// Largest share of the voiced frames that may be excluded.
  ///
  /// - Source: one voice has at most .27 (spoken-male-sentence, of 36 recordings of the corpus), a quartet .82
  ///   (choir-quartet); 20 % less or more changes none.
  static let maxExcludedShare = 0.5

  public static func truth(of signal: Signal) -> JuryTruth {
    verdict(PitchTracker.standard.track(signal), SpectralPitch(of: signal))
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
    guard truth.excludedShare > maxExcludedShare else { return truth }
    for frame in truth.track.f0Hz.indices where truth.track.f0Hz[frame] > 0 {
      truth.excluded[.others, default: 0] += 1
      (truth.track.f0Hz[frame], truth.uncertaintyCents[frame]) = (0, nil)
    }
    return truth
  }

  /// Returns the reason to exclude a frame; `nil` if the trackers agree.
  private static func reason(_ a: Double, _ b: Double) -> JuryTruth.Reason? {
    guard a > 0, b > 0 else { return .voicing }
    let apart = abs(cents(a, over: b))
    if apart <= maxDistanceCents { return nil }
    return abs(apart - 1200) <= maxDistanceCents ? .octave : .pitch
  }
}

/// A pitch track of two trackers without the frames in which they disagree.
public struct JuryTruth: Equatable, Sendable {
  /// A reason to exclude a frame.
  public enum Reason: String, CaseIterable, Codable, Sendable {
    /// Only one tracker finds a voice.
    case voicing
    /// The pitches are an octave apart.
    case octave
    /// The pitches differ otherwise.
    case pitch
    /// The trackers agree here, and differ in most other frames.
    case others
  }

  /// The pitch; 0 in unvoiced and excluded frames.
  public var track: PitchTrack
  /// The distance between the trackers in each frame that has a pitch.
  public var uncertaintyCents: [Double?]
  /// Number of frames in which at least one tracker finds a voice.
  public var voicedCount: Int
  /// Number of excluded frames, by reason.
  public var excluded: [Reason: Int]

  /// Share of the voiced frames that is excluded; 0 if no frame is voiced.
  public var excludedShare: Double {
    voicedCount == 0 ? 0 : Double(excluded.values.reduce(0, +)) / Double(voicedCount)
  }
}
