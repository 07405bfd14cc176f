import Analyzer

extension PSOLA {
  /// Share of a grain's first half that is waited for before it begins: four fifths of it for a
  /// look-ahead of one period.
  static func shareWaitedFor(_ settings: Settings) -> Double {
    min(0.8 * settings.lookAheadPeriods, 1)
  }

  /// Predicted delay of `psola`, to compare with measurements.
  ///
  /// A mark is known half the look-ahead plus 0.12 of a period later: a period may differ by 0.12 from
  /// the one before. Its grain begins when `shareWaitedFor` of the first half has sounded. 0.6 ms pass until the tracker has looked, at 44.1 and 48 kHz.
  ///
  /// - Source: derived in `docs/reference/engines.md`.
  public struct Law: Equatable, Sendable {
    public let settings: Settings

    /// Time from a mark until the tracker has looked for it, beyond its periods.
    static let fixedMs = 0.6

    public init(_ settings: Settings) { self.settings = settings }

    /// Returns the delay from sound to the middle of the grain that stands for it. A voice of the
    /// same pitch and formants passes unchanged, as sound without pitch does.
    ///
    /// - Parameter noteHz: what the voice sings; `nil` is sound without pitch.
    public func delayMs(noteHz: Double?, shiftSemitones: Double) -> Double {
      let passes = shiftSemitones == 0 && settings.formantShiftSemitones == 0
      guard let noteHz, !passes else {
        return grainDelayMs(noteHz: PSOLA.passingHz, shiftSemitones: 0)
      }
      return grainDelayMs(noteHz: noteHz, shiftSemitones: shiftSemitones)
    }

    /// Returns the delay to the middle of the grains.
    private func grainDelayMs(noteHz: Double, shiftSemitones: Double) -> Double {
      let periodMs = 1000 / noteHz
      let formants = frequencyRatio(ofSemitones: settings.formantShiftSemitones)
      let up = max(1, frequencyRatio(ofSemitones: shiftSemitones))
      let halfGrain = 1 / (formants * up.squareRoot())  // periods
      let waited = PSOLA.shareWaitedFor(settings) * halfGrain
      let mark = settings.lookAheadPeriods / 2 + EpochTracker.widestChange
      // No grain may read what is still to come, and one mark in two is half a period old.
      let least = abs(1 - 1 / formants) + 0.5
      return max((waited + mark) * periodMs + Self.fixedMs, least * periodMs)
    }
  }
}

/// Delay of an engine at one note, for engines whose delay follows the note.
public struct LatencyByNote: Codable, Equatable, Sendable {
  /// Note of the lead.
  public var noteHz: Double
  /// Least and longest delay over shifts from an octave down to an octave up, but for 0, which is as late as
  /// sound without pitch.
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
