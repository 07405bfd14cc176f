import Foundation
import Music

extension Dataset {
  /// Zhang et al., 2022: 20 singers, Mandarin pop, with written notes and aligned phones.
  static let m4Singer = Dataset(
    name: "m4singer", title: "M4Singer", licence: "CC-BY-NC-SA-4.0",
    attribution: "M4Singer: Zhang et al., 2022", markers: ["*#*/*.wav"]
  ) { folder in
    let items = try Item.all(in: folder)
    return Set(folder.paths(["*#*/*.wav"]) + items.keys).sorted().map { path in
      let item = items[path]
      let grid = "\(path).TextGrid"
      return DatasetClip(
        id: path.replacingOccurrences(of: "/", with: "#"), audio: "\(path).wav",
        voice: voice(ofSinger: path),
        shows: "a phrase of Mandarin pop; notes as written, not as sung",
        notes: item.map { item in .init(Item.file) { _ in item.sungNotes } },
        phones: item.map { item in .init(Item.file) { _ in item.phones } }
          ?? .init(grid) { try TextGrid.spans($0, named: TextGrid.phoneTiers) },
        lyrics: item?.txt.map { lyrics in .init(Item.file) { _ in lyrics } })
    }
  }
}

/// One clip in `meta.json`: each phone's duration, its note and the note's duration.
private struct Item: Decodable, Sendable {
  static let file = "meta.json"

  var itemName: String
  var txt: String?
  var phs: [String]
  var phDur: [Double]
  var notes: [Double]
  var notesDur: [Double]

  /// Returns the items by the path of their clip without its extension.
  static func all(in folder: DatasetFolder) throws -> [String: Item] {
    guard folder.has(file) else { return [:] }
    let text = AnnotationText(path: file, content: try folder.text(file), durationSeconds: 0)
    let items = try text.decode(
      [Item].self, content: "a list of items with item_name, phs, ph_dur, notes and notes_dur")
    return try items.reduce(into: [:]) { all, item in
      let counts = [item.phs, item.phDur, item.notes, item.notesDur].map { list in
        (list as? [Any])?.count
      }
      guard Set(counts).count == 1 else {
        throw AnnotationError(
          file, "'\(item.itemName)' has lists of different lengths; give every phone all values")
      }
      let parts = item.itemName.split(separator: "#")
      guard parts.count == 3 else {
        throw AnnotationError(file, "'\(item.itemName)' is no name; write Singer#Song#Number")
      }
      all["\(parts[0])#\(parts[1])/\(parts[2])"] = item
    }
  }

  var phones: [LabelledSpan] {
    var end = 0.0
    return zip(phs, phDur).map { label, duration in
      defer { end += duration }
      return LabelledSpan(onsetSeconds: end, offsetSeconds: end + duration, label: label)
    }
  }

  /// The notes: consecutive phones with the same pitch and note duration, until less than half of the
  /// next phone fits into that duration. A pitch of 0 is a rest.
  var sungNotes: [SungNote] {
    var all: [SungNote] = []
    let phones = phones
    var first = 0
    while first < phones.count {
      var next = first + 1
      while next < phones.count, notes[next] == notes[first], notesDur[next] == notesDur[first],
        phones[next].onsetSeconds - phones[first].onsetSeconds + phDur[next] / 2
          <= notesDur[first]
      { next += 1 }
      if notes[first] > 0 {
        all.append(
          SungNote(
            onsetSeconds: phones[first].onsetSeconds, offsetSeconds: phones[next - 1].offsetSeconds,
            f0Hz: NoteNumber(notes[first]).hz))
      }
      first = next
    }
    return all
  }
}
