import Analyzer
import DSP

/// A recording as a subject hears it, and its pitch as the metrics take it.
struct HeardRecording: Sendable {
  /// Clean.
  var recording: Recording
  /// Through the condition.
  var signal: Signal
  /// Exact where it is known, by the jury otherwise; always of the clean recording.
  var lead: PitchTrack
  /// `nil` where the pitch is known exactly.
  var jury: JuryTruth?
}

/// The recordings that cells at work need: each read, tracked and put through its condition once.
actor RecordingShelf {
  private struct Known: Sendable {
    var recording: Recording
    var lead: PitchTrack
    var jury: JuryTruth?
  }

  private var clean: [(id: String, task: Task<Known, any Error>)] = []
  private var heard: [(id: String, task: Task<HeardRecording, any Error>)] = []

  func take(_ cell: Cell, from corpus: Corpus) async throws -> HeardRecording {
    let id = "\(cell.recording.id) \(cell.condition)"
    if let known = heard.first(where: { $0.id == id }) { return try await known.task.value }
    let known = self.known(cell.recording, from: corpus)
    let condition = cell.condition
    let task = Task.detached {
      let known = try await known.value
      let other = try condition.otherRecording.map {
        try corpus.recording(corpus.entry(id: $0)).signal
      }
      return HeardRecording(
        recording: known.recording,
        signal: condition.applied(to: known.recording.signal, other: other), lead: known.lead,
        jury: known.jury)
    }
    // Cells come recording by recording: a few are enough, however large the corpus.
    if heard.count >= 4 { heard.removeFirst() }
    heard.append((id, task))
    return try await task.value
  }

  private func known(
    _ entry: ManifestEntry, from corpus: Corpus
  ) -> Task<Known, any Error> {
    if let known = clean.first(where: { $0.id == entry.id }) { return known.task }
    let task = Task.detached {
      let recording = try corpus.recording(entry)
      if let truth = recording.truth { return Known(recording: recording, lead: truth) }
      let jury = Jury.truth(of: recording.signal)
      return Known(recording: recording, lead: jury.track, jury: jury)
    }
    if clean.count >= 4 { clean.removeFirst() }
    clean.append((entry.id, task))
    return task
  }
}
