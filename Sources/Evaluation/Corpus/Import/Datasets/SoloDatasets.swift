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
    // Frames of 40 ms every 20 ms from time 0: the first is centred at 20 ms.
    folder.karaoke(hopSeconds: 0.020, firstSeconds: 0.020) { stem, clip in
      clip.shows = "amateur singing in Mandarin, voice alone"
      clip.lyrics = .init("Lyrics/\(stem).txt", Transcript.plain)
    }
  }

  /// Chan et al., 2015: 252 clips of 30 s, no longer distributed.
  static let iKala = Dataset(
    name: "ikala", title: "iKala", licence: "LicenseRef-iKala",
    attribution: "iKala: Chan et al., 2015; for research by those who own a copy",
    markers: ["Wavfile/*.wav"]
  ) { folder in
    // Frame i covers i to i + 1 times 32 ms.
    folder.karaoke(hopSeconds: 0.032, firstSeconds: 0.016) { stem, clip in
      let part = ["chorus", "verse"].first { stem.hasSuffix("_\($0)") } ?? "clip"
      clip.shows = "a \(part) in Mandarin, voice alone"
      clip.words = .init("Lyrics/\(stem).lab") { try LabelFile.spans($0, unit: .milliseconds) }
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

  /// Duan et al., 2013: 48 songs, each sung and read by the same person, with phones.
  static let nus48E = Dataset(
    name: "nus-48e", title: "NUS-48E", licence: "LicenseRef-NUS-48E",
    attribution: "NUS-48E: Duan, Fang, Li, Sim and Wang, 2013; for research",
    markers: ["*/sing/*.wav"]
  ) { folder in
    let kinds = ["sing", "read"].flatMap { ["*/\($0)/*.wav", "*/\($0)/*.txt"] }
    return folder.paths(kinds).map { path in
      let parts = path.split(separator: "/")  // ADIZ/sing/01
      let isSung = parts[1] == "sing"
      return DatasetClip(
        id: parts.joined(separator: "_"), audio: "\(path).wav", voice: "unknown",
        kind: isSung ? "sung" : "spoken",
        shows: isSung ? "a song with its phones" : "the words of a song read, with their phones",
        phones: .init("\(path).txt") { text in
          // `start end phone`, in seconds.
          let spans = try LabelFile.spans(text, unit: .seconds)
          guard let end = spans.last?.offsetSeconds, end <= text.durationSeconds + 0.5 else {
            throw AnnotationError(
              text.path,
              "its phones do not end with the sound, at \(text.durationSeconds) s; "
                + "check that its times are seconds")
          }
          return spans
        })
    }
  }
}

extension DatasetFolder {
  /// Returns clips with the accompaniment on the left and the voice on the right channel, and a pitch
  /// for each frame as a MIDI number.
  fileprivate func karaoke(
    hopSeconds: Double, firstSeconds: Double, _ complete: (String, inout DatasetClip) -> Void
  ) -> [DatasetClip] {
    stems("Wavfile/*.wav", "PitchLabel/*.pv").map { stem in
      var clip = DatasetClip(
        id: stem, audio: "Wavfile/\(stem).wav", voiceChannel: 1, voice: "unknown", shows: "",
        pitch: .init("PitchLabel/\(stem).pv") {
          try PitchSeries(unit: .midiNumber, hopSeconds: hopSeconds, firstSeconds: firstSeconds)
            .points($0)
        })
      complete(stem, &clip)
      return clip
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
