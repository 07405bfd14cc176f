extension Dataset {
  /// Duan et al., 2013: 48 songs, each sung and read by the same person, with phones.
  static let nus48E = Dataset(
    "nus-48e", title: "NUS-48E", licence: "LicenseRef-NUS-48E",
    attribution: "NUS-48E: Duan, Fang, Li, Sim and Wang, 2013; for research",
    markers: ["*/sing/*.wav"]
  ) { folder in
    Set(
      ["wav", "txt"].flatMap { ending in
        ["sing", "read"].flatMap { folder.files(matching: "*/\($0)/*.\(ending)") }
      }.map { String($0.dropLast(4)) }
    ).sorted().map { path in
      let parts = path.split(separator: "/")  // ADIZ/sing/01
      let isSung = parts[1] == "sing"
      return DatasetClip(
        id: parts.joined(separator: "_"), audio: "\(path).wav", voice: "unknown",
        kind: isSung ? "sung" : "spoken",
        shows: isSung ? "a song with its phones" : "the words of a song read, with their phones",
        phones: .init("\(path).txt") { text in
          // `start end phone`, in seconds.
          let spans = try LabelFile.spans(text, unit: .seconds)
          guard let end = spans.last?.offsetSeconds, end <= text.durationSeconds + 0.5 else {
            throw AnnotationError(
              text.path,
              "its phones do not end with the sound, at \(text.durationSeconds) s; "
                + "check that its times are seconds")
          }
          return spans
        })
    }
  }
}
