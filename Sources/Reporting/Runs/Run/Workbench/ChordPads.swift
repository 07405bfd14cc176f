import Foundation
import Music
import Statistics
import Sweep
import Tuning

/// The pads of a run: the chords of each recording whose single voices are in the report.
struct ChordPads {
  let facts: RunFacts
  let voices: [VoiceClip]

  /// Maximum number of pads of one recording.
  private static let maxPads = 64

  func boards() throws -> [PadBoard] {
    try voices.compactMap { clip in
      let traces = try facts.store.traces(of: clip.cell.key)
      let chords = ChordGrid(traces).columns.filter(\.isChord).prefix(Self.maxPads)
        .compactMap { chord($0.startS...$0.endS, traces) }
      guard !chords.isEmpty else { return nil }
      return PadBoard(
        id: "pads-\(clip.clip.id)", title: clip.title,
        note:
          "Score \(clip.cell.score.id), \(facts.text(SettingChoice(clip.cell))). Each pad plays "
          + "what the voices sang of one chord.",
        chords: chords, lead: clip.lead, voices: clip.voices)
    }
  }

  /// The chord of the targets within a time; `nil` if no voice has one.
  private func chord(_ rangeS: ClosedRange<Double>, _ traces: [VoiceTrace]) -> PadBoard.Chord? {
    let notes = traces.compactMap { trace -> Int? in
      let first = max(0, Int((rangeS.lowerBound / trace.hopSeconds).rounded(.up)))
      let last = min(trace.targetHz.count, Int(rangeS.upperBound / trace.hopSeconds) + 1)
      guard first < last else { return nil }
      let targets = trace.targetHz[first..<last].filter { $0 > 0 }.map(Double.init)
      return Statistics.median(targets).map { Int((69 + 12 * log2($0 / 440)).rounded()) }
    }.sorted()
    guard !notes.isEmpty else { return nil }
    let names = notes.map { NoteNumber(Double($0)).name() }.joined(separator: " ")
    let chord = Set(notes.map { $0 % 12 }).count < 3 ? nil : Chord.identified(from: notes).first
    return PadBoard.Chord(
      name: chord?.description ?? names, notes: chord == nil ? "" : names, rangeS: rangeS)
  }
}
