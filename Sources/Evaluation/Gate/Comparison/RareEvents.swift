/// Faults that happen now and then, and that a mean over recordings would hide.
enum RareEvents {
  /// Counts of events and shares of frames in which they happen.
  static let metrics: Set<String> = [
    "clicks.count", "dropouts.count", "samples.non_finite", "pitch.octave_errors",
    "pitch.gross_errors", "voice.missing",
  ]
}

extension GateResult {
  /// A cell in which rare events became more.
  public struct EventCell: Sendable {
    public var metric: String
    /// Labels of the voices that got worse; empty for the whole sound.
    public var voices: Set<String>
    public var cell: MetricDifference.Instance
  }

  /// Cells in which a regression of rare events shows, those with most events more first.
  public var eventCells: [EventCell] {
    let found = comparison?.differences.filter { $0.verdict == .regression } ?? []
    typealias Found = (difference: MetricDifference, cell: MetricDifference.Instance)
    let cells: [Found] = found.flatMap { difference in
      difference.eventCells.map { (difference, $0) }
    }.sorted { (a: Found, b: Found) -> Bool in
      a.cell.candidate - a.cell.baseline > b.cell.candidate - b.cell.baseline
    }
    var all: [EventCell] = []
    for (difference, cell) in cells {
      let voices = Set([difference.voice].compactMap(\.self))
      let known = all.firstIndex { $0.metric == difference.metric && $0.cell.cell == cell.cell }
      if let known {
        all[known].voices.formUnion(voices)
      } else {
        all.append(EventCell(metric: difference.metric, voices: voices, cell: cell))
      }
    }
    return all
  }
}

/// The instants of rare events in one cell of the candidate: clicks, wrong octaves, lost frames.
public struct EventInstants: Codable, Equatable, Sendable {
  public struct Instant: Codable, Equatable, Sendable {
    public var atSeconds: Double
    /// Label of the voice in the score; `nil` for the whole sound.
    public var voice: String?
    /// The finding in words.
    public var words: String

    public init(atSeconds: Double, voice: String?, words: String) {
      (self.atSeconds, self.voice, self.words) = (atSeconds, voice, words)
    }
  }

  public var metric: String
  public var recording: String
  public var condition: String
  /// Sorted by time.
  public var instants: [Instant]

  public init(metric: String, recording: String, condition: String, instants: [Instant]) {
    (self.metric, self.recording, self.condition) = (metric, recording, condition)
    self.instants = instants
  }
}
