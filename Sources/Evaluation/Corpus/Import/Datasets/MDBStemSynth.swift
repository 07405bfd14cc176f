extension Dataset {
  /// Salamon et al., 2017: stems of MedleyDB, resynthesized with exactly known pitch.
  static let mdbStemSynth = Dataset(
    "mdb-stem-synth", title: "MDB-stem-synth", licence: "CC-BY-NC-4.0",
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
