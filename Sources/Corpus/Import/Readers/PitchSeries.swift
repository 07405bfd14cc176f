import Foundation
import Statistics

/// Reads files of pitch: one value to a line at equal steps, or times and values.
struct PitchSeries: Sendable {
  enum Unit: Sendable { case midiNumber, hertz }

  var unit: Unit
  var hopSeconds: Double
  /// The centre of the first frame.
  var firstSeconds: Double

  /// The first column of each row. A series without times is only as good as its hop, so it must
  /// also end where the sound does.
  func points(_ text: AnnotationText) throws -> [PitchPoint] {
    let table = DelimitedText(text.content, path: text.path, separator: .space)
    try table.expectNoHeader()
    let points = try table.body.enumerated().map { index, row in
      let value = try table.number(row, 0)
      return PitchPoint(
        timeSeconds: firstSeconds + Double(index) * hopSeconds, f0Hz: value > 0 ? hertz(value) : 0)
    }
    let end = Double(points.count) * hopSeconds
    // Frames reach beyond their hop, and a last one may be cut: five either way are let pass.
    guard abs(end - text.durationSeconds) <= 5 * hopSeconds + firstSeconds else {
      throw AnnotationError(
        text.path,
        "\(points.count) frames of \(hopSeconds * 1000) ms make \(end) s, but the sound has "
          + "\(text.durationSeconds) s")
    }
    return points
  }

  private func hertz(_ value: Double) -> Double {
    unit == .hertz ? value : midiHertz(value)
  }

  /// Rows of `time,Hz` and perhaps more. 0 is unvoiced, and so is below 0: there some write the
  /// pitch they would guess if it were voiced.
  ///
  /// - Parameter hopSeconds: what the median step of the times must be, to 2 %.
  static func timed(_ text: AnnotationText, hopSeconds: Double? = nil) throws -> [PitchPoint] {
    let table = DelimitedText(text.content, path: text.path)
    let points = try table.body.map { row in
      PitchPoint(
        timeSeconds: try table.number(row, 0), f0Hz: max(0, try table.number(row, 1)))
    }
    let checked = try Annotations.checked(points, in: table)
    let steps = zip(points.dropFirst(), points).map { $0.timeSeconds - $1.timeSeconds }
    if let hopSeconds, let step = Statistics.median(steps), abs(step / hopSeconds - 1) > 0.02 {
      throw AnnotationError(
        text.path,
        "its frames are \(step * 1000) ms apart, where \(hopSeconds * 1000) ms are expected")
    }
    return checked
  }
}

/// The frequency of a MIDI note number, whole or not, at A4 = 440 Hz.
func midiHertz(_ number: Double) -> Double { 440 * exp2((number - 69) / 12) }
