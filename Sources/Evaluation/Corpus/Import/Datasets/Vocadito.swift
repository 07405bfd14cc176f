import Analyzer
import Foundation
import Platform

extension Dataset {
  /// Bittner et al., 2021: 40 solo clips, pitch by hand, notes by two annotators, lyrics.
  static let vocadito = Dataset(
    "vocadito", title: "vocadito", licence: "CC-BY-4.0",
    attribution: "vocadito: Bittner, Pasalo, Bosch, Meseguer-Brocal and Rubinstein, 2021",
    markers: ["Audio/vocadito_*.wav"]
  ) { folder in
    let languages = try languages(folder)
    return folder.stems("Audio/vocadito_*.wav", "Annotations/Lyrics/vocadito_*_lyrics.txt")
      .map { $0.replacingOccurrences(of: "_lyrics", with: "") }.uniqued()
      .map { stem in
        let number = String(stem.dropFirst("vocadito_".count))
        let first = "Annotations/Notes/\(stem)_notesA1.csv"
        let second = "Annotations/Notes/\(stem)_notesA2.csv"
        return DatasetClip(
          id: number, audio: "Audio/\(stem).wav", voice: "unknown",
          shows: "solo singing" + (languages[number].map { " in \($0)" } ?? ""),
          // One frame is 256 samples at 44.1 kHz.
          pitch: .init("Annotations/F0/\(stem)_f0.csv") {
            try PitchSeries.timed($0, hopSeconds: 256.0 / 44_100)
          },
          notes: .init(first, alsoReads: [second]) { reader in
            let notes = try LabelFile.notes(reader.text(first), separator: .comma)
            guard reader.folder.has(second) else { return notes }
            return notes.judged(by: try LabelFile.notes(reader.text(second), separator: .comma))
          },
          lyrics: .init("Annotations/Lyrics/\(stem)_lyrics.txt", Transcript.plain))
      }
  }

  private static func languages(_ folder: DatasetFolder) throws -> [String: String] {
    let path = "vocadito_metadata.csv"
    guard folder.has(path) else { return [:] }
    let table = DelimitedText(try folder.text(path), path: path, separator: .comma)
    let (track, language) = try (table.named("track_id"), table.named("language"))
    return try table.body.reduce(into: [:]) { languages, row in
      languages[try table.field(row, track)] = try table.field(row, language)
    }
  }
}

extension [SungNote] {
  /// Sets each note's uncertainty: the distance to the second annotator's note that overlaps it
  /// longest; `nil` if none does.
  fileprivate func judged(by others: [SungNote]) -> [SungNote] {
    map { note in
      func overlap(_ other: SungNote) -> Double {
        Swift.min(note.offsetSeconds, other.offsetSeconds)
          - Swift.max(note.onsetSeconds, other.onsetSeconds)
      }
      guard let other = others.max(by: { overlap($0) < overlap($1) }), overlap(other) > 0 else {
        return note
      }
      var judged = note
      judged.uncertaintyCents = abs(cents(note.f0Hz, over: other.f0Hz))
      return judged
    }
  }
}
