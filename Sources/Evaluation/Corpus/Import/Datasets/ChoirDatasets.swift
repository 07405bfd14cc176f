import Music

/// Singers of choirs, each with a microphone of their own. Room microphones pick up everybody.
extension Dataset {
  /// Rosenzweig et al., 2020: a choir and two quartets.
  static let dagstuhlChoirSet = Dataset(
    name: "dagstuhl-choirset", title: "Dagstuhl ChoirSet", licence: "CC-BY-4.0",
    attribution: "Dagstuhl ChoirSet: Rosenzweig, Cuesta, Weiß, Scherbaum, Gómez and Müller, 2020",
    markers: ["audio_wav_22050_mono/DCS_*.wav"]
  ) { folder in
    let microphones = [
      "DYN": "dynamic microphone, some bleed", "HSM": "headset microphone, some bleed",
      "LRX": "larynx microphone, no words",
    ]
    return folder.files(matching: "audio_wav_22050_mono/DCS_*_[SATB][0-9]_*.wav").map(stem)
      .compactMap { stem in
        let parts = stem.split(separator: "_").map(String.init)
        guard parts.count >= 6, let microphone = microphones[parts[parts.count - 1]] else {
          return nil
        }
        let singer = parts[parts.count - 2]
        let take = parts.dropLast(2).joined(separator: "_")
        let pitch = pitch(take: take, singer: singer, stem: stem, in: folder)
        let hand = pitch.paths[0].contains("manual") ? "by hand" : "by a tracker"
        return DatasetClip(
          id: String(stem.dropFirst("DCS_".count)), audio: "audio_wav_22050_mono/\(stem).wav",
          voice: voice(ofSinger: singer), shows: "a choir singer, \(microphone); pitch \(hand)",
          pitch: pitch,
          notes: .init(
            "annotations_csv_scorerepresentation/\(take)_Stereo_STM_\(singer.prefix(1)).csv", score)
        )
      }
  }

  /// Returns the hand-made pitch, which was annotated on the larynx microphone and holds for all
  /// three of a singer; otherwise a tracker's.
  private static func pitch(
    take: String, singer: String, stem: String, in folder: DatasetFolder
  ) -> DatasetClip.Source<[PitchPoint]> {
    let manual = "annotations_csv_F0_manual/\(take)_\(singer)_LRX.csv"
    let pyin = "annotations_csv_F0_PYIN/\(stem).csv"
    let crepe = "annotations_csv_F0_CREPE/\(stem).csv"
    if folder.has(manual) { return .init(manual) { try PitchSeries.timed($0, hopSeconds: 0.0058) } }
    if folder.has(crepe) && !folder.has(pyin) { return .init(crepe, confident) }
    return .init(pyin) { try PitchSeries.timed($0, hopSeconds: 0.01002) }
  }

  /// Reads CREPE's output, a pitch for every frame; frames with a confidence below 0.5 are unvoiced.
  private static func confident(_ text: AnnotationText) throws -> [PitchPoint] {
    let table = DelimitedText(text.content, path: text.path, separator: .comma)
    return try zip(PitchSeries.timed(text, hopSeconds: 0.010), table.body).map { point, row in
      var point = point
      if try table.number(row, 2) < 0.5 { point.f0Hz = 0 }
      return point
    }
  }

  /// Reads rows of `start,end,midi`.
  private static func score(_ text: AnnotationText) throws -> [SungNote] {
    let table = DelimitedText(text.content, path: text.path, separator: .comma)
    return try table.body.map { row in
      let (onset, offset) = try table.span(row)
      return SungNote(
        onsetSeconds: onset, offsetSeconds: offset, f0Hz: NoteNumber(try table.number(row, 2)).hz)
    }
  }

  /// Cuesta and Gómez, 2022: twelve choir singers. Warm-ups have no labels.
  static let esmucChoir = Dataset(
    name: "esmuc-choir", title: "ESMUC Choir Dataset", licence: "CC-BY-4.0",
    attribution: "ESMUC Choir Dataset: Cuesta and Gómez, 2022",
    markers: ["*_take*_[SATB][0-9].wav"]
  ) { folder in
    folder.stems("*_take*_[SATB][0-9].wav", "*_take*_[SATB][0-9].f0", "*_take*_[SATB][0-9].lab")
      .filter { !$0.hasPrefix("WU") }
      .map { stem in
        DatasetClip(
          id: stem, audio: "\(stem).wav",
          voice: voice(ofSinger: String(stem.split(separator: "_").last ?? "")),
          shows: "a choir singer, close microphone, some bleed",
          pitch: .init("\(stem).f0") { try PitchSeries.timed($0) },
          notes: .init("\(stem).lab") { try LabelFile.notes($0, separator: .space) })
      }
  }

  /// Cuesta et al., 2018: 16 choir singers in three songs. The Children's Song Dataset has the same
  /// initials and is another.
  static let choralSinging = Dataset(
    name: "choral-singing", title: "Choral Singing Dataset", licence: "CC-BY-4.0",
    licenceNeedsEvidence: true,
    attribution: "Choral Singing Dataset: Cuesta, Gómez, Martorell and Loáiciga, 2018",
    markers: ["CSD_*_*_[1-4].wav"]
  ) { folder in
    folder.stems(
      "CSD_*_soprano_[1-4].wav", "CSD_*_alto_[1-4].wav", "CSD_*_tenor_[1-4].wav",
      "CSD_*_bass_[1-4].wav", "CSD_*_[1-4].f0"
    ).compactMap { stem in
      let parts = stem.split(separator: "_").map(String.init)  // CSD_ER_soprano_1
      guard parts.count == 4 else { return nil }
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
