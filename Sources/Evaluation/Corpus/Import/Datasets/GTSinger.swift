import Foundation
import Music

extension Dataset {
  /// Zhang et al., 2024: songs in nine languages, sung plainly, sung with a technique, and spoken.
  static let gtSinger = Dataset(
    "gtsinger", title: "GTSinger", licence: "CC-BY-NC-SA-4.0",
    attribution: "GTSinger: Zhang et al., 2024", markers: ["*/*/*/*/*_Group/*.wav"]
  ) { folder in
    let pattern = "*/*/*/*/*_Group/*."
    return Set(
      (folder.files(matching: pattern + "wav") + folder.files(matching: pattern + "TextGrid"))
        .map { ($0 as NSString).deletingPathExtension }
    ).sorted().map { path in
      let parts = path.split(separator: "/").map(String.init)
      let (language, singer, technique, group) = (parts[0], parts[1], parts[2], parts[4])
      let isSpoken = group == "Paired_Speech_Group"
      let how =
        isSpoken ? "spoken" : group == "Control_Group" ? "plain" : technique.lowercased()
      return DatasetClip(
        id: parts.joined(separator: "_"), audio: "\(path).wav",
        voice: voice(singer), kind: isSpoken ? "spoken" : "sung",
        shows: "\(language), \(how); pair of technique \(technique.lowercased())",
        notes: isSpoken ? nil : .init("\(path).json", notes),
        phones: .init("\(path).TextGrid") { try grid($0, TextGrid.phoneTiers) },
        words: .init("\(path).TextGrid") { try grid($0, TextGrid.wordTiers) })
    }
  }

  private static func grid(_ text: AnnotationText, _ tiers: [String]) throws -> [LabelledSpan] {
    try TextGrid(text.content, path: text.path).spans(named: tiers, path: text.path)
  }

  /// Returns the voice of a singer called, for example, `EN-Alto-1` or `ZH-Tenor-1`.
  private static func voice(_ singer: String) -> String {
    singer.lowercased().split(separator: "-").map(String.init)
      .first { ["soprano", "alto", "tenor", "bass"].contains($0) } ?? "unknown"
  }

  /// Reads the written notes of every word.
  private static func notes(_ text: AnnotationText) throws -> [SungNote] {
    struct Word: Decodable {
      var note: [Double]
      var noteStart: [Double]
      var noteEnd: [Double]
    }
    let words: [Word]
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do { words = try decoder.decode([Word].self, from: Data(text.content.utf8)) } catch {
      throw AnnotationError(
        text.path, "is not a list of words with the lists note, note_start and note_end")
    }
    return try words.flatMap { word in
      guard Set([word.note.count, word.noteStart.count, word.noteEnd.count]).count == 1 else {
        throw AnnotationError(
          text.path, "a word has different numbers of notes, starts and ends; give each note both")
      }
      return word.note.indices.filter { word.note[$0] > 0 }.map {
        SungNote(
          onsetSeconds: word.noteStart[$0], offsetSeconds: word.noteEnd[$0],
          f0Hz: NoteNumber(word.note[$0]).hz)
      }
    }
  }
}
