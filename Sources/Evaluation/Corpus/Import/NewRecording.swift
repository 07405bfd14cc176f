import AudioFile
import Foundation
import Platform

/// A sound file to add to a corpus, with the annotations of the same name beside it: the corpus's own
/// files, a TextGrid, a `.lab` file or a `.txt` file.
public struct NewRecording: Sendable {
  public var sound: URL
  /// The id; the file's name if `nil`.
  public var id: String?
  /// An SPDX expression.
  public var licence: String
  public var voice: String
  /// The names to credit.
  public var attribution = ""
  /// `sung`, `spoken`, `stress` or `probe`.
  public var kind = "sung"
  public var shows = "added by hand"
  /// A file of lyrics; replaces the one beside the sound.
  public var lyrics: URL?

  public init(_ sound: URL, licence: String, voice: String) {
    (self.sound, self.licence, self.voice) = (sound, licence, voice)
  }

  /// Copies the sound and its annotations into the corpus and adds a row to its manifest: all of it
  /// or nothing.
  ///
  /// - Throws: a `Refusal` or `AudioFileError`.
  @discardableResult
  public func add(to corpus: URL) throws -> ManifestEntry {
    let reading = try AudioFile(reading: sound.path)  // whole, so that no run meets a broken file
    let folder = DatasetFolder(around: sound)
    let clip = try Dataset.clip(of: sound.lastPathComponent, in: folder)
    var annotations = try clip.annotations(in: folder, durationSeconds: reading.durationSeconds)
    if let lyrics {
      guard let text = try? GivenFile.data(at: lyrics) else {
        throw Refusal(lyrics.path, "can't be read; check the path")
      }
      annotations.lyrics = try Transcript.plain(
        AnnotationText(
          path: lyrics.path, content: decodedText(text),
          durationSeconds: reading.durationSeconds))
    }
    var draft = try CorpusDraft(of: corpus)
    defer { draft.discard() }
    let id = id ?? ManifestEntry.id(from: clip.id)
    guard !draft.hasEntry(id) else { throw Refusal.idTaken(id: id) }
    let entry = try draft.add(
      ManifestEntry(
        id: id, source: "added:\(id)", licence: licence, attribution: attribution, voice: voice,
        kind: kind, shows: shows),
      sound: sound, in: "added", keeping: nil, linking: false, annotations: annotations)
    try draft.publish()
    return entry
  }
}
