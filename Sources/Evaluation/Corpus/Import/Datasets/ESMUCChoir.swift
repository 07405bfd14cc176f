extension Dataset {
  /// Cuesta and Gómez, 2022: twelve choir singers, each with a close microphone.
  static let esmucChoir = Dataset(
    "esmuc-choir", title: "ESMUC Choir Dataset", licence: "CC-BY-4.0",
    attribution: "ESMUC Choir Dataset: Cuesta and Gómez, 2022",
    markers: ["*_take*_[SATB][0-9].wav"]
  ) { folder in
    // Close microphones only; room microphones pick up everybody. Warm-ups have no labels.
    folder.stems("*_take*_[SATB][0-9].wav", "*_take*_[SATB][0-9].f0", "*_take*_[SATB][0-9].lab")
      .filter { !$0.hasPrefix("WU") }
      .map { stem in
        DatasetClip(
          id: stem, audio: "\(stem).wav",
          voice: choirVoice(String(stem.split(separator: "_").last ?? "")),
          shows: "a choir singer, close microphone, some bleed",
          pitch: .init("\(stem).f0") { try PitchSeries.timed($0) },
          notes: .init("\(stem).lab") { try LabelFile.notes($0, separator: .space) })
      }
  }
}
