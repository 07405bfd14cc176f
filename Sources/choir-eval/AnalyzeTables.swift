import Analyzer
import Foundation

/// The CSV files of `choir-eval analyze`.
extension VoiceProfile {
  var f0Table: String {
    Self.table(
      "time_s,f0_hz,voicing",
      track.f0Hz.indices.map { i in
        "\(decimal(Double(i) * track.hopSeconds, 4)),\(decimal(track.f0Hz[i], 3)),"
          + decimal(track.voicing[i], 4)
      })
  }

  var formantTable: String {
    Self.table(
      "time_s,f1_hz,f2_hz,f3_hz,f4_hz",
      formants.frames.enumerated().map { i, frame in
        ([decimal(Double(i) * formants.hopSeconds, 4)]
          + (1...4).map { number in frame[number].map { decimal($0.frequencyHz, 1) } ?? "" })
          .joined(separator: ",")
      })
  }

  var noteTable: String {
    Self.table(
      "onset_s,offset_s,f0_hz,midi,deviation_cents",
      notes.map { note in
        [
          decimal(note.onsetSeconds, 4), decimal(note.offsetSeconds, 4), decimal(note.pitchHz, 3),
          "\(note.midi)", decimal(note.deviationCents, 2),
        ].joined(separator: ",")
      })
  }

  private static func table(_ header: String, _ rows: [String]) -> String {
    ([header] + rows).joined(separator: "\n") + "\n"
  }

  private func decimal(_ value: Double, _ places: Int) -> String {
    String(format: "%.\(places)f", value)
  }
}
