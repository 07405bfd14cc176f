import Analyzer
import DSP

/// A choir of `OfflineShifter`'s voices: every part, manner, level and place as live, but with the
/// whole recording known.
///
/// Two passes over the recording, with the same events at the same times: the first records how far each
/// voice is shifted when, in silence; then the copies are made; the second plays them. The lead's pitch is
/// known from the first sample on, so there is no delay. The engine of the settings plays no part.
extension Harmonizer {
  /// A choir that rehearses a recording.
  ///
  /// - Parameter lead: what the recording sings.
  public init(
    rehearsing settings: Settings, of recording: Signal, lead: PitchTrack
  ) throws(SettingsError) {
    try self.init(settings, copies: [], of: recording, lead: lead)
  }

  /// Shift of each voice in the rehearsal, which has to be over.
  public var rehearsedShifts: [ShiftCurve] {
    transposer.rehearsedShifts(sampleRateHz: sampleRateHz)
  }

  /// A choir that performs what it has rehearsed.
  ///
  /// - Parameters:
  ///   - copies: the recording shifted as `rehearsedShifts` say, one for each voice, each as long.
  ///   - formantShiftSemitones: by which their formants were moved.
  public init(
    performing settings: Settings, with copies: [Signal], formantShiftSemitones: Double = 0,
    of recording: Signal, lead: PitchTrack
  ) throws(SettingsError) {
    precondition(copies.count == settings.voices.count, "a copy for each voice")
    precondition(copies.allSatisfy { $0.count == recording.count }, "copies as long")
    try self.init(settings, copies: copies.map(\.samples), of: recording, lead: lead)
    offlineFormantShiftSemitones = formantShiftSemitones
  }

  private init(
    _ settings: Settings, copies: [[Float]], of recording: Signal, lead: PitchTrack
  ) throws(SettingsError) {
    try settings.validate()
    let rate = recording.sampleRateHz
    let take = OfflineTake(
      shiftsSemitones: settings.voices.map(\.firstShiftSemitones), sampleCount: recording.count,
      hopSamples: VoiceDirector.tickSamples(sampleRateHz: rate), copies: copies)
    try self.init(
      settings, EngineBank(take), sampleRateHz: rate, lead: KnownLead(lead, of: recording))
  }
}

/// The pitch of a lead that need not be listened for.
struct KnownLead {
  let track: PitchTrack
  let sampleCount: Int

  init(_ track: PitchTrack, of recording: Signal) {
    (self.track, sampleCount) = (track, recording.count)
  }

  /// True if there is likelier a voice than none. `OfflineShifter` transposes what is far less likely.
  func isSurelyVoiced(atSeconds time: Double) -> Bool {
    let frame = Int((time / track.hopSeconds).rounded())
    return track.voicing.indices.contains(frame)
      && track.voicing[frame] > PitchTracker.Settings().voicingThreshold
  }
}
