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

  /// As `f0Table`, with what is likeliest where there is no voice, and how sure it is.
  var pitchTable: String {
    Self.table(
      "time_s,f0_hz,voicing,likely_hz,uncertainty_cents",
      track.f0Hz.indices.map { i in
        [
          decimal(Double(i) * track.hopSeconds, 4), decimal(track.f0Hz[i], 3),
          decimal(track.voicing[i], 4), decimal(track.likelyHz[i], 3),
          track.uncertaintyCents[i].map { decimal($0, 3) } ?? "",
        ].joined(separator: ",")
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
      "onset_s,offset_s,f0_hz,midi,deviation_cents,glide_cents,vibrato_hz,vibrato_cents",
      zip(notes, vibratos).map { note, vibrato in
        [
          decimal(note.onsetSeconds, 4), decimal(note.offsetSeconds, 4), decimal(note.pitchHz, 3),
          "\(note.midi)", decimal(note.deviationCents, 2),
          note.glide.map { decimal($0.fromCents, 1) } ?? "",
          vibrato.map { decimal($0.rateHz, 2) } ?? "",
          vibrato.map { decimal($0.extentCents, 1) } ?? "",
        ].joined(separator: ",")
      })
  }

  private static func table(_ header: String, _ rows: [String]) -> String {
    csv(header, rows)
  }
}

/// Pitch marks: `time_s,voiced`.
func epochTable(_ epochs: [Epoch], sampleRateHz: Double) -> String {
  csv(
    "time_s,voiced",
    epochs.map { "\(decimal($0.timeSamples / sampleRateHz, 6)),\($0.isVoiced ? 1 : 0)" })
}

/// Envelopes: `time_s,hz,db`, every 50 Hz.
func envelopeTable(_ frames: [EnvelopeAnalyzer.Frame], ceilingHz: Double) -> String {
  csv(
    "time_s,hz,db",
    frames.flatMap { frame in
      stride(from: 0, through: ceilingHz, by: 50).map { hz in
        "\(decimal(frame.timeSeconds, 4)),\(decimal(hz, 0)),"
          + decimal(frame.envelope.levelDb(atHz: hz), 3)
      }
    })
}

/// Formants with bandwidths: `time_s,f1_hz,b1_hz,…`; empty where there is none.
func envelopeFormantTable(_ frames: [EnvelopeAnalyzer.Frame]) -> String {
  csv(
    "time_s," + (1...4).map { "f\($0)_hz,b\($0)_hz" }.joined(separator: ","),
    frames.map { frame in
      ([decimal(frame.timeSeconds, 4)]
        + (0..<4).map { number in
          guard number < frame.formants.count else { return "," }
          let formant = frame.formants[number]
          return "\(decimal(formant.frequencyHz, 1)),\(decimal(formant.bandwidthHz, 1))"
        }).joined(separator: ",")
    })
}

private func csv(_ header: String, _ rows: [String]) -> String {
  ([header] + rows).joined(separator: "\n") + "\n"
}

private func decimal(_ value: Double, _ places: Int) -> String {
  String(format: "%.\(places)f", value)
}
