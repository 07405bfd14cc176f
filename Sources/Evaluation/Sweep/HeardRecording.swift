import Analyzer
import Corpus
import DSP
import Metrics

/// A recording as a subject receives it, with the pitch that metrics use.
struct HeardRecording: Sendable {
  /// The clean recording.
  var recording: Recording
  /// The sound under the condition.
  var signal: Signal
  /// Pitch of the clean recording: exact if known, otherwise by consensus of the trackers.
  var lead: PitchTrack
  /// `nil` if the pitch is known exactly.
  var jury: JuryTruth?
  /// Analysis of `signal`.
  var sound: AnalyzedSound
}
