import AudioFile
import Foundation
import Platform

/// Imports a data set into a corpus: each clip becomes a sound file with its annotations beside it,
/// and a row of the manifest.
///
/// The corpus changes only when the import is complete; a failed import leaves it unchanged. Files
/// that are missing or can't be read are left out and listed in the report.
public struct DatasetImport: Sendable {
  public var dataset: Dataset
  public var place: URL
  /// Largest number of clips, spread evenly over the data set; `nil` for all.
  public var limit: Int?
  /// Links to the sound files instead of copying them. A clip whose voice is one channel of several
  /// is still written.
  public var linksSound = false
  /// The licence that the user found; replaces that of the data set.
  public var licence: String?

  public init(
    _ dataset: Dataset, from place: URL, limit: Int? = nil, linksSound: Bool = false,
    licence: String? = nil
  ) {
    (self.dataset, self.place, self.limit) = (dataset, place, limit)
    (self.linksSound, self.licence) = (linksSound, licence)
  }

  /// Imports the clips that the corpus does not have yet.
  ///
  /// - Parameters:
  ///   - corpus: the folder of the manifest; created if missing.
  ///   - progress: called for each clip with the number done, the number of all and its id.
  /// - Throws: a `Refusal`.
  public func run(
    into corpus: URL, progress: (Int, Int, String) -> Void = { _, _, _ in }
  ) throws -> ImportReport {
    let folder = try open()
    var draft = try CorpusDraft(of: corpus)
    defer { draft.discard() }
    var report = ImportReport(
      dataset: dataset.name, licence: licence ?? dataset.confirmedLicence(in: folder))
    let entries = try plan(folder)
    if entries.isEmpty { throw unlike(folder) }
    let wanted = Self.spread(entries, over: limit)
    report.found = entries.count
    for (index, item) in wanted.enumerated() {
      progress(index, wanted.count, item.id)
      try take(item.clip, as: item.id, from: folder, into: &draft, &report)
    }
    progress(wanted.count, wanted.count, "")
    guard report.imported.count + report.present.count > 0 else {
      let reasons = report.refused.map(\.reason) + report.missing.map { "\($0) is missing" }
      throw Refusal(
        "no recording of \(dataset.title) could be imported: "
          + "\(Array(reasons.prefix(3)).joined(separator: "; "))"
      )
    }
    try draft.publish()
    return report
  }

  private func open() throws -> DatasetFolder {
    let folder = try DatasetFolder(place)
    guard !dataset.markers.isEmpty else { return folder }
    guard let rooted = folder.rooted(at: dataset.markers) else { throw unlike(folder) }
    return rooted
  }

  private func unlike(_ folder: DatasetFolder) -> Refusal {
    let tops = folder.files.map { $0.split(separator: "/").prefix(2).joined(separator: "/") }
    return Refusal.notThisDataset(
      name: dataset.title, path: place.path, expected: dataset.markers,
      found: Array(tops.uniqued().prefix(5)))
  }

  /// Returns the clips with their ids in the corpus, sorted by id.
  private func plan(_ folder: DatasetFolder) throws -> [(id: String, clip: DatasetClip)] {
    var byID: [String: DatasetClip] = [:]
    for clip in try dataset.clips(folder) {
      let id = ManifestEntry.id(from: "\(group)-\(clip.id)")
      if let other = byID[id] {
        throw Refusal("\(other.audio) and \(clip.audio) would both get the id '\(id)'; rename one")
      }
      byID[id] = clip
    }
    return byID.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The common prefix of the ids: the name of the data set, or of the user's folder.
  private var group: String {
    dataset.markers.isEmpty ? ManifestEntry.id(from: place.lastPathComponent) : dataset.name
  }

  private static func spread<Item>(_ items: [Item], over limit: Int?) -> [Item] {
    guard let limit, limit < items.count else { return items }
    return (0..<limit).map { items[$0 * items.count / limit] }
  }

  private func take(
    _ clip: DatasetClip, as id: String, from folder: DatasetFolder, into draft: inout CorpusDraft,
    _ report: inout ImportReport
  ) throws {
    if draft.hasEntry(id) { return report.present.append(id) }
    report.missing += ([clip.audio] + clip.annotationPaths).uniqued().filter { !folder.has($0) }
    guard folder.has(clip.audio) else { return }
    let sound = folder.url(clip.audio)
    let annotations: Annotations
    let remarks: [String]
    do {
      let info = try AudioFileInfo(probing: sound.path)
      remarks = info.remarks
      if let channel = clip.voiceChannel, channel >= info.channelCount {
        report.refused.append(
          .init(
            id: id,
            reason: "\(clip.audio) has \(info.channelCount) channel; the voice should be on "
              + "channel \(channel + 1)"))
        return
      }
      // Whole, so that no run meets a broken file.
      let duration = try AudioFile(reading: sound.path).durationSeconds
      annotations = try clip.annotations(in: folder, durationSeconds: duration)
    } catch {
      report.refused.append(.init(id: id, reason: "\(error)"))
      return
    }
    do {
      try draft.add(
        ManifestEntry(
          id: id, source: "import:\(dataset.name):\(Self.plain(clip.audio))",
          licence: report.licence, attribution: dataset.attribution, voice: clip.voice,
          kind: clip.kind, shows: clip.shows),
        sound: sound, in: group, keeping: clip.voiceChannel, linking: linksSound,
        annotations: annotations)
    } catch let error as SameSound {
      report.refused.append(.init(id: id, reason: error.description))
      return
    }
    report.imported.append(id)
    report.remarks += remarks.map { .init(id: id, reason: $0) }
    for kind in annotations.kinds { report.annotated[kind.rawValue, default: 0] += 1 }
  }

  /// Escapes the characters of a path that would break a row of the manifest.
  private static func plain(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      text +=
        ",\"\n\r%".contains(character)
        ? String(format: "%%%02X", character.asciiValue ?? 10) : "\(character)"
    }
  }
}

/// The result of an import.
public struct ImportReport: Codable, Equatable, Sendable {
  public var dataset: String
  public var licence: String
  /// Number of clips in the data set.
  public var found = 0
  /// Ids of the new recordings.
  public var imported: [String] = []
  /// Ids that the corpus had already; those recordings are unchanged.
  public var present: [String] = []
  /// Number of new recordings with each kind of annotation.
  public var annotated: [String: Int] = [:]
  /// Paths that are missing from the data set. A clip without its sound is left out; one without an
  /// annotation is imported without it.
  public var missing: [String] = []
  /// Clips left out because their sound or an annotation can't be read.
  public var refused: [ClipNote] = []
  /// Clips whose sound file deviates from its format, and how; they are imported.
  public var remarks: [ClipNote] = []

  public struct ClipNote: Codable, Equatable, Sendable {
    public var id: String
    public var reason: String
  }
}

extension Refusal {
  static func notThisDataset(
    name: String, path: String, expected: [String], found: [String]
  ) -> Refusal {
    Refusal(
      "\(path) does not look like \(name): expected \(expected.joined(separator: " and ")) in it "
        + "or at most three folders down; found "
        + (found.isEmpty ? "nothing" : found.joined(separator: ", ")))
  }

  static func idTaken(id: String) -> Refusal {
    Refusal("the corpus has a recording '\(id)' already; choose another with --id")
  }
}
