extension Dataset {
  /// Chan et al., 2015: 252 clips of 30 s, no longer distributed.
  static let iKala = Dataset(
    "ikala", title: "iKala", licence: "LicenseRef-iKala",
    attribution: "iKala: Chan et al., 2015; for research by those who own a copy",
    markers: ["Wavfile/*.wav"]
  ) { folder in
    folder.stems("Wavfile/*.wav", "PitchLabel/*.pv").map { stem in
      DatasetClip(
        id: stem, audio: "Wavfile/\(stem).wav",
        voiceChannel: 1,  // the accompaniment is on the left
        voice: "unknown", shows: "a \(part(stem)) in Mandarin, voice alone",
        // Frame i covers i to i + 1 times 32 ms.
        pitch: .init("PitchLabel/\(stem).pv") {
          try PitchSeries(unit: .midiNumber, hopSeconds: 0.032, firstSeconds: 0.016).points($0)
        },
        words: .init("Lyrics/\(stem).lab") { try LabelFile.spans($0, unit: .milliseconds) })
    }
  }

  private static func part(_ stem: String) -> String {
    stem.hasSuffix("_chorus") ? "chorus" : stem.hasSuffix("_verse") ? "verse" : "clip"
  }
}
