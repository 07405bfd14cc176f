import AudioFile
import Foundation
import Platform

extension Dataset {
  /// Any folder of recordings: each sound with the annotations of the same name beside it.
  static let generic = Dataset(
    name: "generic", title: "a folder of recordings", licence: "LicenseRef-unknown",
    attribution: "", markers: []
  ) { folder in
    let sounds = folder.files.filter { AudioFormat(extensionOf: $0) != nil }
    guard !sounds.isEmpty else {
      throw Refusal.notThisDataset(
        name: "a folder of recordings", path: folder.place.path,
        expected: [
          "a sound file (\(AudioFormat.allCases.map(\.extensions[0]).joined(separator: ", ")))"
        ],
        found: Array(folder.files.prefix(5)))
    }
    return try sounds.map { try clip(of: $0, in: folder) }
  }

  /// Returns one sound and its annotations: `NAME.f0.csv` and the other files of the corpus format; if
  /// they are missing, `NAME.TextGrid`, `NAME.lab` (phones) and `NAME.txt` (lyrics).
  static func clip(of sound: String, in folder: DatasetFolder) throws -> DatasetClip {
    let name = (sound as NSString).deletingPathExtension
    func path(_ suffix: String) -> String? { folder.has(name + suffix) ? name + suffix : nil }
    func path(_ kind: AnnotationKind) -> String? { path(kind.suffix) }
    var clip = DatasetClip(
      id: name.replacingOccurrences(of: "/", with: "-"), audio: sound, voice: "unknown",
      shows: "imported")
    clip.pitch = path(.f0).map { .init($0, pitch) }
    clip.notes = path(.notes).map { .init($0) { try $0.annotations(.notes).notes ?? [] } }
    clip.phones = path(.phones).map { .init($0) { try $0.annotations(.phones).phones ?? [] } }
    clip.words = path(.words).map { .init($0) { try $0.annotations(.words).words ?? [] } }
    clip.lyrics = (path(.lyrics) ?? path(".txt")).map { .init($0, Transcript.plain) }
    if let grid = path(".TextGrid") {
      let tiers = try TextGrid(folder.text(grid), path: grid).tiers.map { $0.name.lowercased() }
      func source(_ names: [String]) -> DatasetClip.Source<[LabelledSpan]>? {
        guard tiers.contains(where: names.contains) else { return nil }
        return .init(grid) { try TextGrid.spans($0, named: names) }
      }
      clip.phones = clip.phones ?? source(TextGrid.phoneTiers)
      clip.words = clip.words ?? source(TextGrid.wordTiers)
    }
    clip.phones = clip.phones ?? path(".lab").map { .init($0) { try LabelFile.spans($0) } }
    return clip
  }

  /// Reads the corpus's own format, or rows of time and pitch; refuses the pitch of several voices.
  private static func pitch(_ text: AnnotationText) throws -> [PitchPoint] {
    if text.content.hasPrefix("time_s,f0_hz") { return try text.annotations(.f0).pitch ?? [] }
    let columns = DelimitedText(text.content, path: text.path).header?.fields ?? []
    let voices = columns.filter { $0.lowercased().hasSuffix("hz") }
    guard voices.count <= 1 else {
      throw Refusal(
        text.path,
        "has the pitch of \(voices.count) voices (\(voices.joined(separator: ", "))); "
          + "give each voice a sound and a file of its own")
    }
    return try PitchSeries.timed(text)
  }
}

extension AnnotationText {
  /// Reads the corpus's own format.
  fileprivate func annotations(_ kind: AnnotationKind) throws -> Annotations {
    var all = Annotations()
    try all.read(kind, content, path: path)
    return all
  }
}
