extension Dataset {
  /// Cuesta et al., 2018: 16 choir singers in three songs. The Children's Song Dataset has the same
  /// initials and is another.
  static let choralSinging = Dataset(
    "choral-singing", title: "Choral Singing Dataset", licence: "CC-BY-4.0",
    licenceEvidence: ["CC BY 4.0", "CC-BY-4.0", "Attribution 4.0"],
    attribution: "Choral Singing Dataset: Cuesta, Gómez, Martorell and Loáiciga, 2018",
    markers: ["CSD_*_*_[1-4].wav"]
  ) { folder in
    folder.stems(
      "CSD_*_soprano_[1-4].wav", "CSD_*_alto_[1-4].wav", "CSD_*_tenor_[1-4].wav",
      "CSD_*_bass_[1-4].wav", "CSD_*_[1-4].f0"
    ).map { stem in
      let parts = stem.split(separator: "_").map(String.init)  // CSD_ER_soprano_1
      let (song, section) = (parts[1], parts[2])
      return DatasetClip(
        id: "\(song)_\(section)_\(parts[3])", audio: "\(stem).wav", voice: section,
        shows: "a choir singer in a section of four",
        pitch: folder.has("\(stem).f0")
          ? .init("\(stem).f0") { try PitchSeries.timed($0) } : nil,
        // One file for the four singers of a section: the written notes.
        notes: .init("CSD_\(song)_\(section)_notes.lab") {
          try LabelFile.notes($0, separator: .space)
        })
    }
  }
}
