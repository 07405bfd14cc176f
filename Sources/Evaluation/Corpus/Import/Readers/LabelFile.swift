import Platform

/// Reads `.lab` files: a start, an end and a label on each line.
enum LabelFile {
  /// The unit of a file's times, in seconds.
  enum Unit: Double, CaseIterable {
    case seconds = 1
    case milliseconds = 1e-3
    /// HTK's unit.
    case hundredNanoseconds = 1e-7
  }

  /// Reads labels, in the unit that puts the last end near the end of the sound; throws if not exactly
  /// one does.
  static func spans(_ text: AnnotationText) throws -> [LabelledSpan] {
    let table = DelimitedText(text.content, path: text.path, separator: .space)
    try table.expectNoHeader()
    let rows = try table.body.map { row -> LabelledSpan in
      let (onset, offset) = try table.span(row)
      return LabelledSpan(
        onsetSeconds: onset, offsetSeconds: offset, label: try table.field(row, 2))
    }
    let scale = try unit(of: rows, text).rawValue
    return rows.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds * scale, offsetSeconds: $0.offsetSeconds * scale,
        label: $0.label)
    }
  }

  private static func unit(of rows: [LabelledSpan], _ text: AnnotationText) throws -> Unit {
    guard let end = rows.map(\.offsetSeconds).max() else { return .seconds }
    let duration = text.durationSeconds
    let fitting = Unit.allCases.filter {
      (0.05 * duration...1.05 * duration + 0.5).contains(end * $0.rawValue)
    }
    guard fitting.count == 1 else {
      throw Refusal(
        text.path,
        "the last label ends at \(end), which fits a sound of \(duration) s neither in seconds, "
          + "milliseconds nor units of 100 ns; check that they belong together")
    }
    return fitting[0]
  }

  /// Reads notes from rows of `onset Hz duration`, in seconds.
  static func notes(_ text: AnnotationText, separator: DelimitedText.Separator) throws -> [SungNote]
  {
    let table = DelimitedText(text.content, path: text.path, separator: separator)
    try table.expectNoHeader()
    return try table.body.compactMap { row in
      let (onset, f0) = (try table.number(row, 0), try table.number(row, 1))
      let duration = try table.number(row, 2)
      guard duration >= 0 else {
        throw table.error(row, "the note lasts \(duration) s; write 0 or more")
      }
      // Rests are written as notes of 0 Hz.
      guard f0 > 0 else { return nil }
      return SungNote(onsetSeconds: onset, offsetSeconds: onset + duration, f0Hz: f0)
    }
  }
}
