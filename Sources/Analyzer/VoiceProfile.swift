import DSP
import Foundation

/// What the analyzer says of a recording of one voice.
///
/// - Cost: about 0.15 of real time on one core, most of it for `quality`. Allocates.
public struct VoiceProfile: Sendable {
  public let track: PitchTrack
  public let formants: FormantTrack
  public let notes: [Note]
  /// The vibrato of each note; `nil` where it has none.
  public let vibratos: [VibratoFit?]
  /// Of the notes; `nil` without any.
  public let key: KeyEstimate?
  public let quality: VoiceQuality
  public let level: Level
  public let defects: SignalDefects
  /// `nil` where there is no sound to tell them from.
  public let clicks: Clicks?
  /// Distance of `track` and the second judge where both hear a voice, in cents.
  public let judgesDifferCents: [Double]

  /// - Parameter track: the pitch of `signal`, by whichever tracker; all else follows its frames.
  public init(of signal: Signal, track: PitchTrack) throws {
    self.track = track
    var formantSettings = FormantTracker.Settings()
    formantSettings.hopMs = track.hopSeconds * 1000
    formants = try FormantTracker(formantSettings).track(signal.withoutInfrasound())
    notes = try NoteSegmenter().notes(in: track)
    vibratos = notes.map { try? VibratoFit(of: track, in: $0) }
    key = KeyEstimate(of: PitchClassProfile(of: notes))
    quality = try VoiceQuality(of: signal, following: track)
    level = Level(of: signal)
    defects = try SignalDefects(of: signal)
    clicks = try? Clicks(in: signal)
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
