extension Dataset {
  /// Hsu and Jang, 2010: 1000 Mandarin karaoke clips, voice and accompaniment on separate channels.
  static let mir1K = Dataset(
    "mir-1k", title: "MIR-1K", licence: "LicenseRef-MIR-1K",
    attribution: "MIR-1K: Hsu and Jang, 2010; for research", markers: ["Wavfile/*.wav"]
  ) { folder in
    folder.stems("Wavfile/*.wav", "PitchLabel/*.pv").map { stem in
      DatasetClip(
        id: stem, audio: "Wavfile/\(stem).wav",
        voiceChannel: 1,  // the accompaniment is on the left
        voice: "unknown", shows: "amateur singing in Mandarin, voice alone",
        // Frames of 40 ms every 20 ms from time 0: the first is centred at 20 ms.
        pitch: .init("PitchLabel/\(stem).pv") {
          try PitchSeries(unit: .midiNumber, hopSeconds: 0.020, firstSeconds: 0.020).points($0)
        },
        lyrics: .init("Lyrics/\(stem).txt", Transcript.plain))
    }
  }
}
