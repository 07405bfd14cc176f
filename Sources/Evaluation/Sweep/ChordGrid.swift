import Analyzer
import Statistics

/// The outcome of each chord of a score for each voice.
///
/// A chord lasts from the onset of a note to the next onset of any voice, or to the end of all notes.
/// Between chords only the lead should be heard.
package struct ChordGrid: Equatable {
  package enum Fate: Equatable {
    /// Error in cents, median over the chord.
    case inTune(Double)
    case sharp(Double)
    case flat(Double)
    case missing
    /// The voice is heard but should rest.
    case ghost
    case resting
  }

  package struct Column: Equatable {
    package var startS: Double
    package var endS: Double
    /// True if any voice has a note.
    package var isChord: Bool
    /// One outcome for each voice.
    package var fates: [Fate]
  }

  /// Chords and rests in order of time.
  package let columns: [Column]

  /// Largest error that is in tune; the worst instants use the same.
  static let toleranceCents = 25.0
  /// Onsets that are nearer to each other belong to one chord.
  private static let togetherSeconds = 0.08
  /// A shorter rest is a breath.
  private static let shortestRestSeconds = 0.15
  /// Time around a target in which the voice may still ring.
  private static let ringSeconds = 0.05

  /// - Parameters:
  ///   - traces: pitch traces of the voices, in their order.
  ///   - isSung: tells whether the lead has a pitch at a time of the output; `nil` if that is unknown,
  ///     so that nothing counts as a ghost.
  package init(_ traces: [VoiceTrace], isSung: ((Double) -> Bool)? = nil) {
    let notes = traces.flatMap(Self.notes)
    columns = Self.stretches(notes, endS: traces.map(\.endSeconds).max() ?? 0).compactMap {
      stretch in
      let fates = traces.map { Self.fate(of: $0, stretch.startS..<stretch.endS, isSung) }
      let isSung = fates.contains { $0 != .resting }
      return stretch.isChord || isSung
        ? Column(startS: stretch.startS, endS: stretch.endS, isChord: stretch.isChord, fates: fates)
        : nil
    }
  }

  private static func notes(of trace: VoiceTrace) -> [ClosedRange<Double>] {
    let hz = trace.targetHz.map(Double.init)
    let track = PitchTrack(hopSeconds: trace.hopSeconds, f0Hz: hz)
    let notes = NoteSegmenter().notes(in: track)
    return notes.map { $0.onsetSeconds...max($0.onsetSeconds, $0.offsetSeconds) }
  }

  /// Chords, and rests between them.
  private static func stretches(
    _ notes: [ClosedRange<Double>], endS: Double
  ) -> [(startS: Double, endS: Double, isChord: Bool)] {
    var begins: [Double] = []
    for time in notes.map(\.lowerBound).sorted()
    where begins.last.map({ time - $0 > togetherSeconds }) ?? true {
      begins.append(time)
    }
    var found: [(startS: Double, endS: Double, isChord: Bool)] = []
    func rest(until timeS: Double) {
      let lastS = found.last?.endS ?? 0
      if timeS - lastS >= shortestRestSeconds { found.append((lastS, timeS, false)) }
    }
    for (index, startS) in begins.enumerated() {
      let nextS = index + 1 < begins.count ? begins[index + 1] : endS
      // Earlier notes may still sound.
      let sounding = notes.filter { $0.lowerBound < nextS - togetherSeconds / 2 }
      let stopS = min(nextS, max(startS, sounding.map(\.upperBound).max() ?? nextS))
      rest(until: startS)
      found.append((startS, stopS, true))
    }
    rest(until: endS)
    return found
  }

  private static func fate(
    of trace: VoiceTrace, _ range: Range<Double>, _ isSung: ((Double) -> Bool)?
  ) -> Fate {
    let frames = trace.frames(range)
    let wanted = frames.filter { trace.targetHz[$0] > 0 }
    guard !wanted.isEmpty else { return isGhost(trace, frames, isSung) ? .ghost : .resting }
    let errors = wanted.compactMap { frame -> Double? in
      let heard = trace.measuredHz[frame]
      return heard > 0 ? cents(Double(heard), over: Double(trace.targetHz[frame])) : nil
    }
    guard 2 * errors.count > wanted.count, let error = Statistics.median(errors)
    else { return .missing }
    if abs(error) <= toleranceCents { return .inTune(error) }
    return error > 0 ? .sharp(error) : .flat(error)
  }

  /// True if a voice is heard for `ringSeconds` in total, away from any target and any sung pitch.
  private static func isGhost(
    _ trace: VoiceTrace, _ frames: Range<Int>, _ isSung: ((Double) -> Bool)?
  ) -> Bool {
    guard let isSung else { return false }
    let reach = Int((ringSeconds / trace.hopSeconds).rounded())
    let strange = frames.count { frame in
      guard trace.measuredHz[frame] > 0 else { return false }
      let near = max(0, frame - reach)..<min(trace.targetHz.count, frame + reach + 1)
      return trace.targetHz[near].allSatisfy { $0 == 0 }
        && near.allSatisfy { !isSung(Double($0) * trace.hopSeconds) }
    }
    return strange >= max(1, reach)
  }
}

extension VoiceTrace {
  fileprivate var count: Int { min(targetHz.count, measuredHz.count) }
  fileprivate var endSeconds: Double { Double(count) * hopSeconds }

  /// Indices of the frames within a range of time.
  fileprivate func frames(_ range: Range<Double>) -> Range<Int> {
    let low = min(count, max(0, Int((range.lowerBound / hopSeconds).rounded(.up))))
    let high = min(count, max(low, Int((range.upperBound / hopSeconds).rounded(.up))))
    return low..<high
  }
}
