import Music

extension Dataset {
  /// Rosenzweig et al., 2020: a choir and two quartets, each singer with their own microphones.
  static let dagstuhlChoirSet = Dataset(
    "dagstuhl-choirset", title: "Dagstuhl ChoirSet", licence: "CC-BY-4.0",
    attribution: "Dagstuhl ChoirSet: Rosenzweig, Cuesta, Weiß, Scherbaum, Gómez and Müller, 2020",
    markers: ["audio_wav_22050_mono/DCS_*.wav"]
  ) { folder in
    // Only the singers' own microphones; room microphones pick up everybody.
    folder.files(matching: "audio_wav_22050_mono/DCS_*_[SATB][0-9]_*.wav").map(stem)
      .compactMap { stem in
        let parts = stem.split(separator: "_").map(String.init)
        guard parts.count >= 6, let microphone = microphones[parts[parts.count - 1]] else {
          return nil
        }
        let singer = parts[parts.count - 2]
        let take = parts.dropLast(2).joined(separator: "_")
        let pitch = pitch(take: take, singer: singer, stem: stem, in: folder)
        let hand = pitch.path.contains("manual") ? "by hand" : "by a tracker"
        return DatasetClip(
          id: String(stem.dropFirst("DCS_".count)), audio: "audio_wav_22050_mono/\(stem).wav",
          voice: choirVoice(singer), shows: "a choir singer, \(microphone); pitch \(hand)",
          pitch: pitch,
          notes: .init(
            "annotations_csv_scorerepresentation/\(take)_Stereo_STM_\(singer.prefix(1)).csv", score)
        )
      }
  }

  private static let microphones = [
    "DYN": "dynamic microphone, some bleed", "HSM": "headset microphone, some bleed",
    "LRX": "larynx microphone, no words",
  ]

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
}

/// Returns the voice of a choir singer called `S1`, `A2`, `T1` or `B2`.
func choirVoice(_ singer: String) -> String {
  let voices: [Character: String] = ["S": "soprano", "A": "alto", "T": "tenor", "B": "bass"]
  return singer.first.flatMap { voices[$0] } ?? "unknown"
}
