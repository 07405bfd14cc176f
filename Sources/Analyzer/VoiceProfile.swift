import DSP
import Foundation

/// What the analyzer says of a recording of one voice.
///
/// - Cost: about 0.02 of real time on one core. Allocates.
public struct VoiceProfile: Sendable {
  public let track: PitchTrack
  public let formants: FormantTrack
  public let notes: [Note]
  public let level: Level
  /// Distance of `track` and the second judge where both hear a voice, in cents.
  public let judgesDifferCents: [Double]

  /// - Parameter track: the pitch of `signal`, by whichever tracker; all else follows its frames.
  public init(of signal: Signal, track: PitchTrack) throws(SettingsError) {
    self.track = track
    var formantSettings = FormantTracker.Settings()
    formantSettings.hopMs = track.hopSeconds * 1000
    formants = try FormantTracker(formantSettings).track(signal)
    notes = try NoteSegmenter().notes(in: track)
    level = Level(of: signal)
    let judged = HarmonicFit(of: signal).track(around: track, every: 4)
    judgesDifferCents = zip(judged.f0Hz, track.f0Hz).compactMap { judge, tracker in
      judge > 0 && tracker > 0 ? abs(cents(judge, over: tracker)) : nil
    }
  }

  /// The pitch of all voiced frames.
  public var voicedHz: [Double] { track.f0Hz.filter { $0 > 0 } }

  /// The middle of the frequencies of a formant, 1 to 4, over voiced frames.
  public func medianHz(ofFormant number: Int) -> Double? {
    formants.medianHz(ofFormant: number) { $0 < track.count && track.f0Hz[$0] > 0 }
  }
}
