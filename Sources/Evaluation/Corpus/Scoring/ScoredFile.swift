import Foundation
import Platform

/// A file of a pitch series, notes or chords, to score or to score against.
public enum ScoredFile: Sendable {
  /// Rows of time and Hz.
  case pitch([PitchPoint])
  /// Rows of start, end and Hz.
  case notes([SungNote])
  /// Rows of start, end and label.
  case chords([LabelledSpan])

  public enum Kind: String, CaseIterable, Codable, Sendable { case pitch, notes, chords }

  public var kind: Kind {
    switch self {
    case .pitch: .pitch
    case .notes: .notes
    case .chords: .chords
    }
  }

  /// Reads a table with or without a header: columns are separated by commas, semicolons, tabs or spaces. A
  /// third column that is no number is a chord's label. A header with a time and a pitch begins a pitch series;
  /// further columns of a table with a header are ignored.
  public init(reading url: URL) throws {
    let path = url.relativePath
    let data: Data
    do { data = try GivenFile.data(at: url) } catch { throw Refusal(path, error.problem) }
    let table = Self.table(decodedText(data), path: path)
    guard let first = table.body.first else {
      throw Refusal(path, "has no rows; write times and pitches, notes or chords")
    }
    let names = table.header?.fields.map { $0.lowercased() } ?? []
    let isSeries =
      first.fields.count == 2
      || names.count > 1 && names[0].hasPrefix("time")
        && ["f0", "freq", "hz", "pitch"].contains(where: names[1].contains)
    if isSeries {
      self = .pitch(try Self.points(table))
    } else if first.fields.count > 2, Double(first.fields[2]) == nil {
      var last = 0.0
      self = .chords(
        try table.body.map { row in
          let (onset, offset) = try Self.span(row, table)
          guard onset >= last else {
            throw table.error(
              row, "the start \(onset) s is before that of the row before; sort the rows by time")
          }
          last = onset
          let label = try table.field(row, 2)
          guard ChordLabel(label) != nil else {
            throw table.error(
              row,
              "'\(label)' is no chord; write it in the syntax of Harte, such as C:min7/b3, or N for none"
            )
          }
          return LabelledSpan(onsetSeconds: onset, offsetSeconds: offset, label: label)
        })
    } else {
      self = .notes(
        try table.body.map { row in
          let (onset, offset) = try Self.span(row, table)
          let hz = try table.number(row, 2)
          guard hz > 0 else {
            throw table.error(row, "the note's pitch is \(hz) Hz; write more than 0")
          }
          return SungNote(onsetSeconds: onset, offsetSeconds: offset, f0Hz: hz)
        })
    }
  }

  /// Splits a text. What follows the first number separates columns, since labels may hold commas.
  private static func table(_ text: String, path: String) -> DelimitedText {
    let first = DelimitedText.lines(of: text).first?.text.drop { "+-.0123456789eE".contains($0) }
    let isSpaced = first?.first?.isWhitespace ?? false
    return DelimitedText(text, path: path, separator: isSpaced ? .space : nil)
  }

  private static func points(_ table: DelimitedText) throws -> [PitchPoint] {
    var last = -Double.leastNonzeroMagnitude
    return try table.body.map { row in
      let (time, hz) = (try table.number(row, 0), try table.number(row, 1))
      guard time > last else {
        throw table.error(
          row, "the time \(time) s is negative or not after that of the row before; sort the rows")
      }
      last = time
      return PitchPoint(timeSeconds: time, f0Hz: hz)
    }
  }

  private static func span(
    _ row: DelimitedText.Row, _ table: DelimitedText
  ) throws -> (Double, Double) {
    let span = try table.span(row)
    guard span.0 >= 0, span.1 > span.0 else {
      throw table.error(row, "lasts from \(span.0) to \(span.1); write an end after its start")
    }
    return span
  }

  /// Returns the measures of mir_eval for this file, against another as the truth.
  ///
  /// - Throws: if they are of different kinds.
  public func scores(against reference: ScoredFile) throws -> [(name: String, value: Double)] {
    switch (self, reference) {
    case (.pitch(let found), .pitch(let wanted)): MelodyScore(of: found, against: wanted).named
    case (.notes(let found), .notes(let wanted)): NoteScore(of: found, against: wanted).named
    case (.chords(let found), .chords(let wanted)):
      ChordScore(of: found, against: wanted).named
    default:
      throw Refusal(
        "the reference has \(reference.kind), the estimate \(kind); give two files of one kind: times and "
          + "Hz, notes with start, end and Hz, or chords with start, end and label")
    }
  }

  /// The answer to one wanted chord.
  public struct ChordAnswer: Sendable {
    public var wanted: LabelledSpan
    /// The chord that sounds for most of the wanted one's time, in one stretch or several.
    public var label: String
    /// Time from the wanted chord's start to the right answer, if that is `label`; `nil` if it is wrong.
    public var seconds: Double?
  }

  /// Returns the answers to the wanted chords of another file; none unless both hold chords. Chords are
  /// equal if their roots and tones are; the bass is free.
  public func answers(to reference: ScoredFile) -> [ChordAnswer] {
    guard case .chords(let found) = self, case .chords(let wanted) = reference else { return [] }
    var answers: [ChordAnswer] = []
    for span in wanted {
      var heard: [String: (seconds: Double, start: Double)] = [:]
      for other in found {
        let start = max(other.onsetSeconds, span.onsetSeconds)
        let seconds = min(other.offsetSeconds, span.offsetSeconds) - start
        if seconds > 0 { heard[other.label, default: (0, start)].seconds += seconds }
      }
      // The earliest, where several sound equally long.
      let best = heard.max {
        ($0.value.seconds, -$0.value.start) < ($1.value.seconds, -$1.value.start)
      }
      var answer = ChordAnswer(wanted: span, label: best?.key ?? "N")
      if ChordLabel.matches(answer.label, span.label) {
        answer.seconds = (best?.value.start ?? span.onsetSeconds) - span.onsetSeconds
      }
      answers.append(answer)
    }
    return answers
  }
}
