import DSP
import Foundation

/// What the analyzer says of a recording of one voice.
///
/// - Cost: about 0.15 of real time on one core, most of it for `quality`; less where fewer parts are
///   asked for. A long sound is read stretch by stretch, once or twice for each part, and never
///   lies in memory. Allocates.
public struct VoiceProfile: Sendable {
  /// What can be measured beside the pitch, which is given.
  public struct Parts: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let level = Parts(rawValue: 1)
    /// Notes, their vibrato, and the key.
    public static let notes = Parts(rawValue: 2)
    public static let formants = Parts(rawValue: 4)
    public static let quality = Parts(rawValue: 8)
    /// Defects and clicks.
    public static let faults = Parts(rawValue: 16)
    /// The pitch by `HarmonicFit`.
    public static let secondJudge = Parts(rawValue: 32)

    public static let all: Parts = [.level, .notes, .formants, .quality, .faults, .secondJudge]
  }

  /// What was measured; all else is `nil` or empty.
  public let parts: Parts
  public let durationSeconds: Double
  public let sampleRateHz: Double
  public let track: PitchTrack
  public private(set) var formants: FormantTrack?
  public private(set) var notes: [Note] = []
  /// The vibrato of each note; `nil` where it has none.
  public private(set) var vibratos: [VibratoFit?] = []
  /// Of the notes; `nil` without any.
  public private(set) var key: KeyEstimate?
  public private(set) var quality: VoiceQuality?
  public private(set) var level: Level?
  public private(set) var defects: SignalDefects?
  /// `nil` where there is no sound to tell them from.
  public private(set) var clicks: Clicks?
  /// Distance of `track` and the second judge where both hear a voice, in cents.
  public private(set) var judgesDifferCents: [Double] = []

  /// - Parameter track: the pitch of `sound`, by whichever tracker; all else follows its frames.
  public init(of sound: some SoundSource, track: PitchTrack, _ parts: Parts = .all) throws {
    self.parts = parts
    self.track = track
    durationSeconds = sound.durationSeconds
    sampleRateHz = sound.sampleRateHz
    if parts.contains(.level) { level = try Level(of: sound) }
    if parts.contains(.notes) {
      notes = try NoteSegmenter().notes(in: track)
      vibratos = notes.map { try? VibratoFit(of: track, in: $0) }
      key = KeyEstimate(of: PitchClassProfile(of: notes))
    }
    if parts.contains(.formants) { formants = try Self.formants(of: sound, track) }
    if parts.contains(.quality) { quality = try VoiceQuality(of: sound, following: track) }
    if parts.contains(.faults) {
      defects = try SignalDefects(of: sound)
      do { clicks = try Clicks(of: sound) } catch is ArtefactFailure { clicks = nil }
    }
    if parts.contains(.secondJudge) {
      judgesDifferCents = try Self.judgesDifferCents(sound, track)
    }
  }

  private static func formants(
    of sound: some SoundSource, _ track: PitchTrack
  ) throws -> FormantTrack {
    let reader = try FormantReader()
    var frames: [FormantTrack.Frame] = []
    frames.reserveCapacity(track.count)
    try sound.forEachStretch(of: track) { stretch in
      let found = try reader.track(stretch.signal, following: stretch.track).frames
      frames += found[stretch.own]
    }
    return FormantTrack(hopSeconds: track.hopSeconds, frames: frames)
  }

  private static func judgesDifferCents(
    _ sound: some SoundSource, _ track: PitchTrack
  ) throws -> [Double] {
    var differences: [Double] = []
    try sound.forEachStretch(of: track) { stretch in
      let judge = HarmonicFit(of: stretch.signal)
      for frame in stretch.own where (stretch.firstFrame + frame).isMultiple(of: 4) {
        let hz = stretch.track.f0Hz[frame]
        guard hz > 0,
          let fit = judge.fit(
            atSeconds: Double(frame) * track.hopSeconds, expectedHz: hz)
        else { continue }
        differences.append(abs(cents(fit.f0Hz, over: hz)))
      }
    }
    return differences
  }

  /// The pitch of all voiced frames.
  public var voicedHz: [Double] { track.f0Hz.filter { $0 > 0 } }

  /// The middle of the frequencies of a formant, 1 to 4, over voiced frames.
  public func medianHz(ofFormant number: Int) -> Double? {
    formants?.medianHz(ofFormant: number) { $0 < track.count && track.f0Hz[$0] > 0 }
  }
}
