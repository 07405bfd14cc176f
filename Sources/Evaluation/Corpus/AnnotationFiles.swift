import Foundation
import Platform

/// The files beside a recording: `NAME.f0.csv`, `NAME.notes.csv`, `NAME.phones.csv`,
/// `NAME.words.csv` and `NAME.lyrics.txt`. Times are seconds from the start of the sound.
extension Annotations {
  /// Returns the content of the file of one kind; `nil` if nothing of this kind is known.
  public func text(of kind: AnnotationKind) -> String? {
    switch kind {
    case .f0: pitch.map(Self.text)
    case .lyrics: lyrics.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    case .notes: notes.map(Self.text)
    case .phones: phones.map(Self.text)
    case .words: words.map(Self.text)
    }
  }

  /// Reads the content of the file of one kind.
  ///
  /// - Parameter path: the file's path, for errors.
  /// - Throws: a `Refusal` with the line.
  public mutating func read(_ kind: AnnotationKind, _ text: String, path: String) throws {
    switch kind {
    case .f0: pitch = try Self.pitch(DelimitedText(text, path: path, separator: .comma))
    case .lyrics: lyrics = text.trimmingCharacters(in: .whitespacesAndNewlines)
    case .notes: notes = try Self.notes(DelimitedText(text, path: path, separator: .comma))
    case .phones: phones = try Self.spans(DelimitedText(text, path: path, separator: .comma))
    case .words: words = try Self.spans(DelimitedText(text, path: path, separator: .comma))
    }
  }

  // MARK: Writing

  private static func table<Row>(
    _ header: String, _ rows: [Row], _ line: (Row) -> String
  ) -> String {
    rows.reduce(into: header + "\n") { $0 += line($1) + "\n" }
  }

  private static func text(of points: [PitchPoint]) -> String {
    let isUncertain = points.contains { $0.uncertaintyCents != nil }
    return table("time_s,f0_hz" + (isUncertain ? ",uncertainty_cents" : ""), points) { point in
      "\(seconds(point.timeSeconds)),\(hertz(point.f0Hz))"
        + (isUncertain ? "," + cents(point.uncertaintyCents) : "")
    }
  }

  private static func text(of notes: [SungNote]) -> String {
    let isUncertain = notes.contains { $0.uncertaintyCents != nil }
    return table("onset_s,offset_s,f0_hz" + (isUncertain ? ",uncertainty_cents" : ""), notes) {
      "\(seconds($0.onsetSeconds)),\(seconds($0.offsetSeconds)),\(hertz($0.f0Hz))"
        + (isUncertain ? "," + cents($0.uncertaintyCents) : "")
    }
  }

  private static func text(of spans: [LabelledSpan]) -> String {
    table("onset_s,offset_s,label", spans) {
      "\(seconds($0.onsetSeconds)),\(seconds($0.offsetSeconds)),\(CSVText.field($0.label))"
    }
  }

  // MARK: Reading

  private static func pitch(_ text: DelimitedText) throws -> [PitchPoint] {
    try text.expectHeader("time_s", "f0_hz")
    let uncertainty = text.column("uncertainty_cents")
    let points = try text.body.map { row in
      PitchPoint(
        timeSeconds: try text.number(row, 0), f0Hz: try text.number(row, 1),
        uncertaintyCents: try text.optionalNumber(row, uncertainty))
    }
    return try checked(points, in: text)
  }

  /// Returns the points if their times rise and no pitch is negative; throws otherwise.
  static func checked(_ points: [PitchPoint], in text: DelimitedText) throws -> [PitchPoint] {
    for (index, point) in points.enumerated() {
      if point.f0Hz < 0 {
        throw text.error(
          text.body[index], "the pitch is \(point.f0Hz) Hz; write 0 for unvoiced, or more")
      }
      if index > 0, point.timeSeconds <= points[index - 1].timeSeconds {
        throw text.error(
          text.body[index],
          "the time \(point.timeSeconds) s is not after that of the row before; sort the rows")
      }
    }
    return points
  }

  private static func notes(_ text: DelimitedText) throws -> [SungNote] {
    try text.expectHeader("onset_s", "offset_s", "f0_hz")
    let uncertainty = text.column("uncertainty_cents")
    return try text.body.map { row in
      let (onset, offset) = try text.span(row)
      let f0 = try text.number(row, 2)
      guard f0 > 0 else {
        throw text.error(row, "the note's pitch is \(f0) Hz; write more than 0")
      }
      return SungNote(
        onsetSeconds: onset, offsetSeconds: offset, f0Hz: f0,
        uncertaintyCents: try text.optionalNumber(row, uncertainty))
    }
  }

  private static func spans(_ text: DelimitedText) throws -> [LabelledSpan] {
    try text.expectHeader("onset_s", "offset_s", "label")
    return try text.body.map { row in
      let (onset, offset) = try text.span(row)
      return LabelledSpan(onsetSeconds: onset, offsetSeconds: offset, label: try text.field(row, 2))
    }
  }
}

/// Formats a time to the microsecond: less than the period of any sample rate in use.
private func seconds(_ value: Double) -> String { fixed(value, 6) }

/// Formats a frequency to 0.1 mHz: under 0.003 cents at 65 Hz.
private func hertz(_ value: Double) -> String { value == 0 ? "0" : fixed(value, 4) }

private func cents(_ value: Double?) -> String { value.map { fixed($0) } ?? "" }
