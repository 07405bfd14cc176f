/// Speakers who read sentences.
extension Dataset {
  /// Pirker et al., 2011: TIMIT sentences of 20 speakers, pitch from a laryngograph.
  static let ptdbTUG = Dataset(
    name: "ptdb-tug", title: "PTDB-TUG", licence: "ODbL-1.0",
    attribution: "PTDB-TUG: Pirker, Wohlmayr, Petrik and Pernkopf, 2011",
    markers: ["*MALE/MIC/*/mic_*.wav"]
  ) { folder in
    let utterances = folder.paths(["*MALE/MIC/*/mic_*.wav", "*MALE/REF/*/ref_*.f0"]).map { path in
      let parts = path.split(separator: "/")  // FEMALE/MIC/F01/mic_F01_sa1
      return "\(parts[0])/\(parts[2])/\(parts[3].dropFirst("mic_".count))"
    }
    return Set(utterances).sorted().map { name in
      let parts = name.split(separator: "/")  // FEMALE/F01/F01_sa1
      let (sex, speaker, stem) = (parts[0], parts[1], parts[2])
      return DatasetClip(
        id: String(stem), audio: "\(sex)/MIC/\(speaker)/mic_\(stem).wav",
        voice: sex == "FEMALE" ? "female" : "male", kind: "spoken",
        shows: "a spoken sentence with laryngograph pitch",
        // Rows every 10 ms from RAPT, whose frames of 32 ms look ahead: row i is centred 21.7 ms
        // after i · 10 ms, as measured (lars76/pitch-benchmark, datasets/laryngograph).
        pitch: .init("\(sex)/REF/\(speaker)/ref_\(stem).f0") {
          try PitchSeries(unit: .hertz, hopSeconds: 0.010, firstSeconds: 0.0217).points($0)
        })
    }
  }

  /// Yamagishi et al., 2019: 110 English speakers with many accents.
  static let vctk = Dataset(
    name: "vctk", title: "VCTK 0.92", licence: "CC-BY-4.0", licenceNeedsEvidence: true,
    attribution: "CSTR VCTK Corpus 0.92: Yamagishi, Veaux and MacDonald, 2019",
    markers: ["wav48_silence_trimmed/*/*_mic1.flac"]
  ) { folder in
    // The table `ID AGE GENDER …`.
    let sexes = try folder.table("speaker-info.txt", separator: .space, column: 2)
    return folder.stems("wav48_silence_trimmed/*/*_mic1.flac").map { stem in
      let name = String(stem.dropLast("_mic1".count))  // p225_001
      let speaker = String(name.prefix { $0 != "_" })
      return DatasetClip(
        id: name, audio: "wav48_silence_trimmed/\(speaker)/\(stem).flac",
        voice: voice(ofSex: sexes[speaker]), kind: "spoken", shows: "a spoken English sentence",
        lyrics: .init("txt/\(speaker)/\(name).txt", Transcript.plain))
    }
  }

  /// Panayotov et al., 2015: English read aloud, at 16 kHz, so without sound above 8 kHz.
  static let libriSpeech = Dataset(
    name: "librispeech", title: "LibriSpeech", licence: "CC-BY-4.0", licenceNeedsEvidence: true,
    attribution: "LibriSpeech: Panayotov, Chen, Povey and Khudanpur, 2015",
    markers: ["*/*/*/*-*-*.flac"]
  ) { folder in
    // The table `ID | SEX | …`, with comments after `;`.
    let sexes = try folder.table("SPEAKERS.TXT", separator: .bar, column: 1)
    return folder.files(matching: "*/*/*/*-*-*.flac").map { path in
      let parts = path.split(separator: "/")  // test-clean/61/70968/61-70968-0000.flac
      let (speaker, chapter, name) = (String(parts[1]), parts[2], stem(path))
      let list = "\(parts[0])/\(speaker)/\(chapter)/\(speaker)-\(chapter).trans.txt"
      return DatasetClip(
        id: name, audio: path, voice: voice(ofSex: sexes[speaker]), kind: "spoken",
        shows: "English read aloud, 16 kHz",
        lyrics: .init(list) { try Transcript.entry(name, in: $0) })
    }
  }

  private static func voice(ofSex letter: String?) -> String {
    letter.flatMap { ["F": "female", "M": "male"][$0] } ?? "unknown"
  }
}
