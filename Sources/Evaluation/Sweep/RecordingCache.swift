import Analyzer
import Corpus
import DSP
import Metrics
import Platform
import Subjects

/// Caches what cells share: each recording is read, tracked and put through its condition once, and
/// its oracle is rendered once. Cells are grouped by recording, so a few entries are enough; an
/// oracle comes again under each condition, after all scores of the one before.
struct RecordingCache: Sendable {
  private struct Known: Sendable {
    var recording: Recording
    var lead: PitchTrack
    var jury: JuryTruth?
  }

  let time: WorkTime
  private let clean = AsyncCache<Known>()
  private let heard = AsyncCache<HeardRecording>(capacity: 8)
  private let oracles = AsyncCache<Oracle?>(capacity: 8)

  func take(_ cell: Cell, from corpus: Corpus) async throws -> HeardRecording {
    let condition = cell.condition
    return try await heard.value("\(cell.recording.id) \(condition) \(cell.rateHz ?? 0)") {
      let known = try await known(cell.recording, from: corpus)
      let other = try condition.otherRecording.map {
        try corpus.recording(corpus.entry(id: $0)).signal
      }
      return time.note(.judges) {
        let signal = condition.applied(to: known.recording.signal, other: other)
          .resampled(toRateOf: cell)
        var recording = known.recording
        recording.signal = recording.signal.resampled(toRateOf: cell)
        return HeardRecording(
          recording: recording, signal: signal, lead: known.lead, jury: known.jury,
          sound: AnalyzedSound(signal, track: known.lead))
      }
    }
  }

  /// Returns the ideal rendering of a synthetic recording; `nil` for any other.
  func oracle(of cell: Cell, _ score: ResolvedScore, rateHz: Double) async throws -> Oracle? {
    guard let performance = Oracle.performance(behind: cell.recording) else { return nil }
    return try await oracles.value("\(cell.recording.id) \(rateHz) \(cell.score.canonical)") {
      try time.note(.judges) { try Oracle(performance, score, sampleRateHz: rateHz) }
    }
  }

  private func known(_ entry: ManifestEntry, from corpus: Corpus) async throws -> Known {
    try await clean.value(entry.id) {
      let recording = try time.note(.judges) { try corpus.recording(entry) }
      if let truth = recording.truth { return Known(recording: recording, lead: truth) }
      let jury = time.note(.judges) { PitchConsensus.truth(of: recording.signal) }
      return Known(recording: recording, lead: jury.track, jury: jury)
    }
  }
}

extension Signal {
  /// Returns the sound at the cell's sample rate, if it has one.
  fileprivate func resampled(toRateOf cell: Cell) -> Signal {
    cell.rateHz.map { resampled(to: $0) } ?? self
  }
}

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
