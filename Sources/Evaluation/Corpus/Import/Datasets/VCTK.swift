extension Dataset {
  /// Yamagishi et al., 2019: 110 English speakers with many accents.
  static let vctk = Dataset(
    "vctk", title: "VCTK 0.92", licence: "CC-BY-4.0",
    licenceEvidence: ["CC BY 4.0", "CC-BY-4.0", "Attribution 4.0"],
    attribution: "CSTR VCTK Corpus 0.92: Yamagishi, Veaux and MacDonald, 2019",
    markers: ["wav48_silence_trimmed/*/*_mic1.flac"]
  ) { folder in
    let sexes = try sexes(folder)
    return folder.stems("wav48_silence_trimmed/*/*_mic1.flac").map { stem in
      let name = String(stem.dropLast("_mic1".count))  // p225_001
      let speaker = String(name.prefix { $0 != "_" })
      return DatasetClip(
        id: name, audio: "wav48_silence_trimmed/\(speaker)/\(stem).flac",
        voice: sexes[speaker] ?? "unknown", kind: "spoken", shows: "a spoken English sentence",
        lyrics: .init("txt/\(speaker)/\(name).txt", Transcript.plain))
    }
  }

  /// Reads the speakers' sexes from the table `ID AGE GENDER …`.
  private static func sexes(_ folder: DatasetFolder) throws -> [String: String] {
    let path = "speaker-info.txt"
    guard folder.has(path) else { return [:] }
    let table = DelimitedText(try folder.text(path), path: path, separator: .space)
    return table.body.reduce(into: [:]) { sexes, row in
      guard row.fields.count >= 3 else { return }
      sexes[row.fields[0]] = ["F": "female", "M": "male"][row.fields[2]]
    }
  }
}
