/// Delay of an engine at one note, for engines whose delay follows the note.
public struct LatencyByNote: Codable, Equatable, Sendable {
  /// Note of the lead.
  public var noteHz: Double
  /// Least and longest delay over shifts from an octave down to an octave up.
  public var leastMs: Double
  public var mostMs: Double

  /// E2, A2, G3, A4 and C6: bass to soprano.
  public static let notesHz = [82.4, 110, PSOLA.passingHz, 440, 1046.5]
}

extension Engine {
  /// Latency by note, from low to high; empty where every note is as late as the stated latency.
  public var latencyByNote: [LatencyByNote] {
    guard case .psola(let settings) = self else { return [] }
    let law = PSOLA.Law(settings)
    return LatencyByNote.notesHz.map { hz in
      LatencyByNote(
        noteHz: hz, leastMs: law.delayMs(noteHz: hz, shiftSemitones: 12),
        mostMs: law.delayMs(noteHz: hz, shiftSemitones: -12))
    }
  }
}
