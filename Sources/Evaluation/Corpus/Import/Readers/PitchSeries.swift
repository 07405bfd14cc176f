import Foundation
import Music
import Platform
import Statistics

/// Reads pitch files: one value on each line at equal steps, or times and values.
struct PitchSeries: Sendable {
  enum Unit: Sendable { case midiNumber, hertz }

  var unit: Unit
  var hopSeconds: Double
  /// Time of the centre of the first frame.
  var firstSeconds: Double

  /// Reads the first column of each row. Throws if the series does not end with the sound, because
  /// then its hop is wrong.
  func points(_ text: AnnotationText) throws -> [PitchPoint] {
    let table = DelimitedText(text.content, path: text.path, separator: .space)
    try table.expectNoHeader()
    let points = try table.body.enumerated().map { index, row in
      let value = try table.number(row, 0)
      return PitchPoint(
        timeSeconds: firstSeconds + Double(index) * hopSeconds, f0Hz: value > 0 ? hertz(value) : 0)
    }
    let end = Double(points.count) * hopSeconds
    // Frames are longer than their hop and the last may be cut, so five frames more or less pass.
    guard abs(end - text.durationSeconds) <= 5 * hopSeconds + firstSeconds else {
      throw Refusal(
        text.path,
        "\(points.count) frames of \(hopSeconds * 1000) ms make \(end) s, but the sound lasts "
          + "\(text.durationSeconds) s; check that they belong together")
    }
    return points
  }

  private func hertz(_ value: Double) -> Double {
    unit == .hertz ? value : NoteNumber(value).hz
  }

  /// Reads rows of `time,Hz`; further columns are ignored. 0 is unvoiced, and so are negative values:
  /// some trackers write their guess for an unvoiced frame with a minus sign.
  ///
  /// - Parameter hopSeconds: the expected median step of the times, within 2 %; `nil` for any.
  static func timed(_ text: AnnotationText, hopSeconds: Double? = nil) throws -> [PitchPoint] {
    let table = DelimitedText(text.content, path: text.path)
    let points = try table.body.map { row in
      PitchPoint(timeSeconds: try table.number(row, 0), f0Hz: max(0, try table.number(row, 1)))
    }
    let checked = try Annotations.checked(points, in: table)
    let steps = zip(points.dropFirst(), points).map { $0.timeSeconds - $1.timeSeconds }
    if let hopSeconds, let step = Statistics.median(steps), abs(step / hopSeconds - 1) > 0.02 {
      throw Refusal(
        text.path,
        "its frames are \(step * 1000) ms apart, expected \(hopSeconds * 1000) ms; "
          + "get the data set's own file")
    }
    return checked
  }
}
