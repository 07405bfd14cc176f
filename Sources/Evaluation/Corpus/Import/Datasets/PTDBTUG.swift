extension Dataset {
  /// Pirker et al., 2011: TIMIT sentences of 20 speakers, pitch from a laryngograph.
  static let ptdbTUG = Dataset(
    "ptdb-tug", title: "PTDB-TUG", licence: "ODbL-1.0",
    attribution: "PTDB-TUG: Pirker, Wohlmayr, Petrik and Pernkopf, 2011",
    markers: ["*MALE/MIC/*/mic_*.wav"]
  ) { folder in
    let patterns = ("*MALE/MIC/*/mic_*.wav", "*MALE/REF/*/ref_*.f0")
    let names = Set(
      folder.files(matching: patterns.0).map { $0.utterance }
        + folder.files(matching: patterns.1).map { $0.utterance })
    return names.sorted().map { name in
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
}

extension String {
  /// The utterance of a path: `FEMALE/F01/F01_sa1` for `FEMALE/MIC/F01/mic_F01_sa1.wav`.
  fileprivate var utterance: String {
    let parts = split(separator: "/")
    return "\(parts[0])/\(parts[2])/\(stem(self).dropFirst("mic_".count))"
  }
}
