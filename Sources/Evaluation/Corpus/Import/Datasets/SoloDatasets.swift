import Analyzer
import Platform

/// Single singers with pitch, note or lyrics annotations.
extension Dataset {
  /// Bittner et al., 2021: 40 solo clips, pitch by hand, notes by two annotators, lyrics.
  static let vocadito = Dataset(
    name: "vocadito", title: "vocadito", licence: "CC-BY-4.0",
    attribution: "vocadito: Bittner, Pasalo, Bosch, Meseguer-Brocal and Rubinstein, 2021",
    markers: ["Audio/vocadito_*.wav"]
  ) { folder in
    let languages = try folder.table(
      "vocadito_metadata.csv", separator: .comma, from: "track_id", to: "language")
    return folder.stems("Audio/vocadito_*.wav", "Annotations/Lyrics/vocadito_*_lyrics.txt")
      .map { $0.replacingOccurrences(of: "_lyrics", with: "") }.uniqued()
      .map { stem in
        let number = String(stem.dropFirst("vocadito_".count))
        let notes = ["A1", "A2"].map { "Annotations/Notes/\(stem)_notes\($0).csv" }
        return DatasetClip(
          id: number, audio: "Audio/\(stem).wav", voice: "unknown",
          shows: "solo singing" + (languages[number].map { " in \($0)" } ?? ""),
          // One frame is 256 samples at 44.1 kHz.
          pitch: .init("Annotations/F0/\(stem)_f0.csv") {
            try PitchSeries.timed($0, hopSeconds: 256.0 / 44_100)
          },
          notes: .init(paths: notes) { texts in
            let lists = try texts.map { try LabelFile.notes($0, separator: .comma) }
            return lists.count > 1 ? lists[0].judged(by: lists[1]) : lists[0]
          },
          lyrics: .init("Annotations/Lyrics/\(stem)_lyrics.txt", Transcript.plain))
      }
  }

  /// Hsu and Jang, 2010: 1000 Mandarin karaoke clips, voice and accompaniment on separate channels.
  static let mir1K = Dataset(
    name: "mir-1k", title: "MIR-1K", licence: "LicenseRef-MIR-1K",
    attribution: "MIR-1K: Hsu and Jang, 2010; for research", markers: ["Wavfile/*.wav"]
  ) { folder in
    // The voice is on the right. Frames of 40 ms every 20 ms from time 0: the first is centred at 20 ms.
    folder.stems("Wavfile/*.wav", "PitchLabel/*.pv").map { stem in
      DatasetClip(
        id: stem, audio: "Wavfile/\(stem).wav", voiceChannel: 1, voice: "unknown",
        shows: "amateur singing in Mandarin, voice alone",
        pitch: .init("PitchLabel/\(stem).pv") {
          try PitchSeries(unit: .midiNumber, hopSeconds: 0.020, firstSeconds: 0.020).points($0)
        },
        lyrics: .init("Lyrics/\(stem).txt", Transcript.plain))
    }
  }

  /// Salamon et al., 2017: stems of MedleyDB, resynthesized with exactly known pitch.
  static let mdbStemSynth = Dataset(
    name: "mdb-stem-synth", title: "MDB-stem-synth", licence: "CC-BY-NC-4.0",
    attribution: "MDB-stem-synth: Salamon, Bittner, Bonada, Bosch, Gómez and Bello, 2017",
    markers: ["audio_stems/*.RESYN.wav"]
  ) { folder in
    folder.stems("audio_stems/*.RESYN.wav", "annotation_stems/*.RESYN.csv").map { stem in
      DatasetClip(
        id: stem.replacingOccurrences(of: ".RESYN", with: ""), audio: "audio_stems/\(stem).wav",
        // Voices and instruments; only the metadata of MedleyDB tell them apart.
        voice: "unknown", shows: "a resynthesised stem, voice or instrument, with exact pitch",
        pitch: .init("annotation_stems/\(stem).csv") {
          try PitchSeries.timed($0, hopSeconds: 128.0 / 44_100)
        })
    }
  }
}

extension [SungNote] {
  /// Sets each note's uncertainty: the distance to the second annotator's note that overlaps it
  /// longest; `nil` if none does.
  fileprivate func judged(by others: [SungNote]) -> [SungNote] {
    map { note in
      func overlap(_ other: SungNote) -> Double {
        Swift.min(note.offsetSeconds, other.offsetSeconds)
          - Swift.max(note.onsetSeconds, other.onsetSeconds)
      }
      guard let other = others.max(by: { overlap($0) < overlap($1) }), overlap(other) > 0 else {
        return note
      }
      var judged = note
      judged.uncertaintyCents = abs(cents(note.f0Hz, over: other.f0Hz))
      return judged
    }
  }
}
