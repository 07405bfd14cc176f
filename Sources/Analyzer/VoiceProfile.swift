import DSP
import Foundation

/// The analyzer's results for a recording of one voice.
///
/// - Cost: about 0.15 of real time on one core, most of it for `quality`; less for fewer parts. A
///   long sound is read stretch by stretch, once or twice for each part, and never held in memory.
///   Allocates.
public struct VoiceProfile: Sendable {
  /// The parts to measure besides the pitch, which is given.
  public struct Parts: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Level of each channel; see `ChannelProfile`.
    public static let level = Parts(rawValue: 1)
    /// Notes, their vibrato, and the key.
    public static let notes = Parts(rawValue: 2)
    public static let formants = Parts(rawValue: 4)
    public static let quality = Parts(rawValue: 8)
    /// Defects and clicks of each channel; see `ChannelProfile`.
    public static let faults = Parts(rawValue: 16)
    /// Comparison with the pitch by `HarmonicFit`.
    public static let secondJudge = Parts(rawValue: 32)

    public static let all: Parts = [.level, .notes, .formants, .quality, .faults, .secondJudge]
  }

  /// The measured parts; all others are `nil` or empty.
  public let parts: Parts
  public let durationSeconds: Double
  public let sampleRateHz: Double
  public let track: PitchTrack
  public private(set) var formants: FormantTrack?
  public private(set) var notes: [Note] = []
  /// Vibrato of each note; `nil` if it has none.
  public private(set) var vibratos: [VibratoFit?] = []
  /// Key of the notes; `nil` if there are none.
  public private(set) var key: KeyEstimate?
  public private(set) var quality: VoiceQuality?
  /// Voices that sound together. If several do in most of the sound, the other figures describe none.
  public let polyphony: Polyphony
  /// Distances between `track` and the second pitch estimate where both are voiced, in cents.
  public private(set) var judgesDifferCents: [Double] = []
  /// Share of the voiced frames asked, one in four, in which the second estimate finds a pitch near that of `track` or in
  /// another octave; `nil` if it was not requested, or nothing is voiced.
  public private(set) var confirmedShare: Double?

  /// - Parameter track: pitch of `sound`, by any tracker; all other parts follow its frames.
  public init(of sound: some SoundSource, track: PitchTrack, _ parts: Parts = .all) throws {
    polyphony = try Polyphony(of: sound, track: track)
    self.parts = parts
    self.track = track
    durationSeconds = sound.durationSeconds
    sampleRateHz = sound.sampleRateHz
    if parts.contains(.notes) {
      notes = NoteSegmenter().notes(in: track)
      vibratos = notes.map { try? VibratoFit(of: track, in: $0) }
      key = KeyEstimate(of: PitchClassProfile(of: notes))
    }
    if parts.contains(.formants) { formants = try Self.formants(of: sound, track) }
    if parts.contains(.quality) { quality = try VoiceQuality(of: sound, following: track) }
    if parts.contains(.secondJudge) {
      (judgesDifferCents, confirmedShare) = try Self.judgesDifferCents(sound, track)
    }
  }

  private static func formants(
    of sound: some SoundSource, _ track: PitchTrack
  ) throws -> FormantTrack {
    let reader = FormantReader()
    var frames: [FormantTrack.Frame] = []
    frames.reserveCapacity(track.count)
    try sound.forEachStretch(of: track) { stretch in
      let found = reader.track(stretch.signal, following: stretch.track).frames
      frames += found[stretch.own]
    }
    return FormantTrack(hopSeconds: track.hopSeconds, frames: frames)
  }

  private static func judgesDifferCents(
    _ sound: some SoundSource, _ track: PitchTrack
  ) throws -> (differences: [Double], confirmedShare: Double?) {
    var differences: [Double] = []
    var asked = 0
    try sound.forEachStretch(of: track) { stretch in
      let judge = HarmonicFit(of: stretch.signal)
      for frame in stretch.own where (stretch.firstFrame + frame).isMultiple(of: 4) {
        let hz = stretch.track.f0Hz[frame]
        guard hz > 0 else { continue }
        asked += 1
        guard
          let fit = judge.voice(atSeconds: Double(frame) * track.hopSeconds, expectedHz: hz)
        else { continue }
        differences.append(abs(cents(fit.f0Hz, over: hz)))
      }
    }
    return (differences, asked > 0 ? Double(differences.count) / Double(asked) : nil)
  }

  /// Pitch of all voiced frames.
  public var voicedHz: [Double] { track.f0Hz.filter { $0 > 0 } }

  /// Returns the median frequency of a formant, 1 to 4, over voiced frames.
  public func medianHz(ofFormant number: Int) -> Double? {
    formants?.medianHz(ofFormant: number) { $0 < track.count && track.f0Hz[$0] > 0 }
  }
}

/// The level and the faults of one channel of a recording.
public struct ChannelProfile: Codable, Sendable {
  public var level: Level?
  public var defects: SignalDefects?
  /// `nil` if the channel is silent or otherwise not measurable.
  public var clicks: [Clicks.Click]?

  /// - Parameter level: level of the channel, as measured.
  public init(of sound: some SoundSource, level: Level?, withFaults: Bool) throws {
    self.level = level
    guard withFaults else { return }
    defects = try SignalDefects(of: sound)
    do { clicks = try Clicks(of: sound).clicks } catch is Unmeasurable { clicks = nil }
  }
}
