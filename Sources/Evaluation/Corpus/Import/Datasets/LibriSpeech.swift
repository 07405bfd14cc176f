extension Dataset {
  /// Panayotov et al., 2015: English read aloud, at 16 kHz, so without sound above 8 kHz.
  static let libriSpeech = Dataset(
    "librispeech", title: "LibriSpeech", licence: "CC-BY-4.0",
    licenceEvidence: ["CC BY 4.0", "CC-BY-4.0", "Attribution 4.0"],
    attribution: "LibriSpeech: Panayotov, Chen, Povey and Khudanpur, 2015",
    markers: ["*/*/*/*-*-*.flac"]
  ) { folder in
    let sexes = try sexes(folder)
    return folder.files(matching: "*/*/*/*-*-*.flac").map { path in
      let parts = path.split(separator: "/")  // test-clean/61/70968/61-70968-0000.flac
      let (speaker, chapter, name) = (String(parts[1]), parts[2], stem(path))
      let list = "\(parts[0])/\(speaker)/\(chapter)/\(speaker)-\(chapter).trans.txt"
      return DatasetClip(
        id: name, audio: path, voice: sexes[speaker] ?? "unknown", kind: "spoken",
        shows: "English read aloud, 16 kHz",
        lyrics: .init(list) { try Transcript.entry(name, in: $0) })
    }
  }

  /// Reads the speakers' sexes from `SPEAKERS.TXT`: `ID | SEX | …`, with comments after `;`.
  private static func sexes(_ folder: DatasetFolder) throws -> [String: String] {
    guard folder.has("SPEAKERS.TXT") else { return [:] }
    var sexes: [String: String] = [:]
    for (_, line) in DelimitedText.lines(of: try folder.text("SPEAKERS.TXT"))
    where line.first != ";" {
      let fields = line.split(separator: "|").map { $0.filter { !$0.isWhitespace } }
      if fields.count >= 2 { sexes[fields[0]] = ["F": "female", "M": "male"][fields[1]] }
    }
    return sexes
  }
}
