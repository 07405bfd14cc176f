import Analyzer
import CommandSupport
import DSP
import Foundation
import Music
import Platform

/// A CSV file of `choir-eval analyze`: its header, and a function that passes on its rows one by one,
/// so that a long recording's never lie in memory together.
struct AnalysisTable {
  var header: String
  var rows: (_ take: (String) throws -> Void) throws -> Void

  init(_ header: String, rows: @escaping (_ take: (String) throws -> Void) throws -> Void) {
    (self.header, self.rows) = (header, rows)
  }

  func write(to path: String) throws {
    try WholeFile.write(to: path) { put in
      var text = header + "\n"
      try rows { row in
        text += row
        text += "\n"
        if text.utf8.count > 1 << 18 {
          try put(text)
          text = ""
        }
      }
      try put(text)
    }
  }
}

extension VoiceProfile {
  var f0Table: AnalysisTable {
    AnalysisTable("time_s,f0_hz,voicing") { take in
      for i in track.f0Hz.indices {
        try take(
          "\(fixed(Double(i) * track.hopSeconds, 4)),\(fixed(track.f0Hz[i], 3)),"
            + fixed(track.voicing[i], 4))
      }
    }
  }

  /// `f0Table` with the likeliest pitch of unvoiced frames, and the uncertainty.
  var pitchTable: AnalysisTable {
    AnalysisTable("time_s,f0_hz,voicing,likely_hz,uncertainty_cents") { take in
      for i in track.f0Hz.indices {
        try take(
          [
            fixed(Double(i) * track.hopSeconds, 4), fixed(track.f0Hz[i], 3),
            fixed(track.voicing[i], 4), fixed(track.likelyHz[i], 3),
            track.uncertaintyCents[i].map { fixed($0, 3) } ?? "",
          ].joined(separator: ","))
      }
    }
  }

  var formantTable: AnalysisTable {
    AnalysisTable.formants(hopSeconds: track.hopSeconds) { take in
      for frame in formants?.frames ?? [] { try take(frame) }
    }
  }

  var noteTable: AnalysisTable {
    AnalysisTable(
      "onset_s,offset_s,f0_hz,midi,deviation_cents,glide_cents,vibrato_hz,vibrato_cents"
    ) { take in
      for (note, vibrato) in zip(notes, vibratos) {
        try take(
          [
            fixed(note.onsetSeconds, 4), fixed(note.offsetSeconds, 4),
            fixed(note.pitchHz, 3), "\(note.midi)", fixed(note.deviationCents, 2),
            note.glide.map { fixed($0.fromCents, 1) } ?? "",
            vibrato.map { fixed($0.rateHz, 2) } ?? "",
            vibrato.map { fixed($0.extentCents, 1) } ?? "",
          ].joined(separator: ","))
      }
    }
  }
}

extension AnalysisTable {
  /// Pitch marks: `time_s,voiced`.
  static func epochs(_ epochs: [Epoch], sampleRateHz: Double) -> AnalysisTable {
    AnalysisTable("time_s,voiced") { take in
      for epoch in epochs {
        try take("\(fixed(epoch.timeSamples / sampleRateHz, 6)),\(epoch.isVoiced ? 1 : 0)")
      }
    }
  }

  /// Chords in the syntax of Harte, as `choir-eval score` reads them.
  static func chords(of signal: Signal) -> AnalysisTable {
    AnalysisTable("start_s,end_s,chord") { take in
      for span in ChordRecognizer().chords(of: signal) {
        let label = span.chord?.harteLabel ?? "N"
        try take("\(fixed(span.startSeconds, 2)),\(fixed(span.endSeconds, 2)),\(label)")
      }
    }
  }

  /// Formants by linear prediction, frame by frame.
  static func trackedFormants(of sound: some SoundSource, _ track: PitchTrack) -> AnalysisTable {
    formants(hopSeconds: track.hopSeconds) { take in
      let tracker = FormantTracker(hopMs: track.hopSeconds * 1000)
      try sound.forEachStretch(of: track) { stretch in
        let frames = tracker.track(stretch.signal).frames
        for frame in stretch.own {
          try take(frames.indices.contains(frame) ? frames[frame] : .init())
        }
      }
    }
  }

  /// Formants of every frame: `time_s,f1_hz,…`; empty where there is none.
  static func formants(
    hopSeconds: Double,
    _ frames: @escaping (_ take: (FormantTrack.Frame) throws -> Void) throws -> Void
  ) -> AnalysisTable {
    AnalysisTable("time_s,f1_hz,f2_hz,f3_hz,f4_hz") { take in
      var index = 0
      try frames { frame in
        let cells = (1...4).map { frame[$0].map { fixed($0.frequencyHz, 1) } ?? "" }
        try take(([fixed(Double(index) * hopSeconds, 4)] + cells).joined(separator: ","))
        index += 1
      }
    }
  }

  /// Envelopes: `time_s,hz,db`, every 50 Hz.
  static func envelopes(
    of sound: some SoundSource, _ track: PitchTrack, _ analyzer: EnvelopeAnalyzer
  ) -> AnalysisTable {
    AnalysisTable("time_s,hz,db") { take in
      try analyzer.forEachFrame(of: sound, track) { frame in
        for hz in stride(from: 0, through: analyzer.settings.ceilingHz, by: 50) {
          try take(
            "\(fixed(frame.timeSeconds, 4)),\(fixed(hz, 0)),"
              + fixed(frame.envelope.levelDb(atHz: hz), 3))
        }
      }
    }
  }

  /// Formants with bandwidths: `time_s,f1_hz,b1_hz,…`; empty where there is none.
  static func envelopeFormants(
    of sound: some SoundSource, _ track: PitchTrack, _ analyzer: EnvelopeAnalyzer
  ) -> AnalysisTable {
    AnalysisTable("time_s," + (1...4).map { "f\($0)_hz,b\($0)_hz" }.joined(separator: ",")) {
      take in
      try analyzer.forEachFrame(of: sound, track) { frame in
        try take(
          ([fixed(frame.timeSeconds, 4)]
            + (0..<4).map { number in
              guard number < frame.formants.count else { return "," }
              let formant = frame.formants[number]
              return "\(fixed(formant.frequencyHz, 1)),\(fixed(formant.bandwidthHz, 1))"
            }).joined(separator: ","))
      }
    }
  }
}
