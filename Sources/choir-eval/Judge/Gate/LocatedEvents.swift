import Corpus
import Gate
import Metrics
import Probes
import Subjects
import Sweep

extension GateResult {
  /// Cells that are rendered again for the instants of their events.
  private static let maxEventCells = 6
  /// Smallest pitch error of an instant of octave errors or gross ones: less is a glide.
  private static let minCents = 200.0

  /// Finds the instants of the rare events that became more; their cells are rendered again.
  mutating func locateEvents(in run: StoredRun, corpus: Corpus) {
    events = eventCells.prefix(Self.maxEventCells).compactMap { place in
      guard let cell = run.cells.first(where: { $0.key == place.cell.cell }),
        let found = try? Explanation(
          of: cell, of: run, metric: place.metric, corpus: corpus, into: nil)
      else { return nil }
      let labels = cell.score.voiceLabels
      let instants = found.worst.compactMap { instant -> EventInstants.Instant? in
        let voice = instant.voice.flatMap { labels.indices.contains($0) ? labels[$0] : nil }
        guard place.voices.isEmpty || voice.map(place.voices.contains) ?? true,
          instant.unit != "cents" || abs(instant.value) >= Self.minCents
        else { return nil }
        return EventInstants.Instant(
          atSeconds: instant.atSeconds, voice: voice, words: instant.words)
      }
      guard !instants.isEmpty else { return nil }
      return EventInstants(
        metric: place.metric, recording: place.cell.recording, condition: place.cell.condition,
        instants: instants.sorted { $0.atSeconds < $1.atSeconds })
    }
  }
}
