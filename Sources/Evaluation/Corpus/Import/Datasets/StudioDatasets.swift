import Foundation
import Music
import Platform

/// Trained singers recorded for research, with the notes as written.
extension Dataset {
  /// Wilkins et al., 2018, and Faghih and Timoney, 2022: 20 singers, 17 techniques. The written notes
  /// come from the folder `Annotated VocalSet` beside the sounds, if it is there.
  static let vocalSet = Dataset(
    name: "vocalset", title: "VocalSet", licence: "CC-BY-4.0",
    attribution: "VocalSet: Wilkins, Seetharaman, Wahl and Pardo, 2018; "
      + "Annotated-VocalSet: Faghih and Timoney, 2022",
    markers: ["*/*male*/*/*/*.wav"]
  ) { folder in
    let written = Dictionary(
      folder.files.filter { $0.contains("/with file header/") && $0.hasSuffix(".csv") }
        .map { (stem($0).lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    // The trees by technique and by vowel have the same files.
    let sounds = ["FULL", "data_by_singer"].flatMap { folder.files(matching: "\($0)/*/*/*/*.wav") }
    var seen: Set<String> = []
    return sounds.filter { seen.insert(stem($0).lowercased()).inserted }.map { path in
      let parts = path.split(separator: "/").map(String.init)
      let (singer, exercise, technique) = (parts[1], parts[2], parts[3])
      let isUnwritten = ["trill", "trillo", "lip_trill", "spoken"].contains(technique)
      return DatasetClip(
        id: stem(path), audio: path, voice: singer.hasPrefix("female") ? "female" : "male",
        kind: technique == "spoken" ? "spoken" : "sung",
        shows: "\(exercise), \(technique); notes are as written, perhaps in another key",
        notes: isUnwritten ? nil : written[stem(path).lowercased()].map { .init($0, writtenNotes) })
    }
  }

  /// Reads the notes: the rows of type `Sound` below the one that begins with `Sequence`.
  private static func writtenNotes(_ text: AnnotationText) throws -> [SungNote] {
    let table = DelimitedText(text.content, path: text.path, separator: .comma)
    let rows = [table.header].compactMap { $0 } + table.body
    guard let top = rows.firstIndex(where: { $0.fields[0].hasPrefix("Sequence") }) else {
      throw Refusal(text.path, "has no row that begins with Sequence")
    }
    let columns = try ["Type", "Start time", "End time", "Ground Truth MIDI code"].map { name in
      guard let column = rows[top].fields.firstIndex(where: { $0.hasPrefix(name) }) else {
        throw table.error(rows[top], "has no column '\(name)'")
      }
      return column
    }
    return try rows.dropFirst(top + 1).compactMap { row in
      guard try table.field(row, columns[0]) == "Sound" else { return nil }
      let offset = try table.number(row, columns[2])
      guard offset <= text.durationSeconds + 0.5 else {
        throw table.error(
          row,
          "the note ends at \(offset) s, after the sound's end at \(text.durationSeconds) s; "
            + "check that they belong together")
      }
      return SungNote(
        onsetSeconds: try table.number(row, columns[1]), offsetSeconds: offset,
        f0Hz: NoteNumber(try table.number(row, columns[3])).hz)
    }
  }

  /// Zhang et al., 2024: songs in nine languages, sung plainly, sung with a technique, and spoken.
  static let gtSinger = Dataset(
    name: "gtsinger", title: "GTSinger", licence: "CC-BY-NC-SA-4.0",
    attribution: "GTSinger: Zhang et al., 2024", markers: ["*/*/*/*/*_Group/*.wav"]
  ) { folder in
    folder.paths(["*/*/*/*/*_Group/*.wav", "*/*/*/*/*_Group/*.TextGrid"]).map { path in
      let parts = path.split(separator: "/").map(String.init)
      let (language, singer, technique, group) = (parts[0], parts[1], parts[2], parts[4])
      let isSpoken = group == "Paired_Speech_Group"
      let how = isSpoken ? "spoken" : group == "Control_Group" ? "plain" : technique.lowercased()
      return DatasetClip(
        id: parts.joined(separator: "_"), audio: "\(path).wav",
        voice: voice(ofSinger: singer), kind: isSpoken ? "spoken" : "sung",
        shows: "\(language), \(how); pair of technique \(technique.lowercased())",
        notes: isSpoken ? nil : .init("\(path).json", notesOfWords),
        phones: .init("\(path).TextGrid") { try TextGrid.spans($0, named: TextGrid.phoneTiers) },
        words: .init("\(path).TextGrid") { try TextGrid.spans($0, named: TextGrid.wordTiers) })
    }
  }

  /// Reads the written notes of every word.
  private static func notesOfWords(_ text: AnnotationText) throws -> [SungNote] {
    struct Word: Decodable {
      var note: [Double]
      var noteStart: [Double]
      var noteEnd: [Double]
    }
    let words = try text.decode(
      [Word].self, content: "a list of words with the lists note, note_start and note_end")
    return try words.flatMap { word in
      guard Set([word.note.count, word.noteStart.count, word.noteEnd.count]).count == 1 else {
        throw Refusal(
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
