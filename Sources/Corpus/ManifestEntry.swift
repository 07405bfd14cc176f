import Files
import Foundation

/// One row of `Corpus/manifest.csv`.
public struct ManifestEntry: Codable, Equatable, Sendable {
  public var id: String
  /// Below `Corpus/audio`; empty for a synthetic recording.
  public var file: String
  /// `debian:PACKAGE:PATH`, or `synthetic:NAME`, or where a person got it.
  public var source: String
  /// Of the file; empty for a synthetic recording.
  public var sha256: String
  /// An SPDX expression.
  public var licence: String
  public var attribution: String
  public var voice: String
  /// `sung`, `spoken` or `probe`.
  public var kind: String
  /// What the recording is there to show.
  public var shows: String
  /// The SHA-256 of each file of annotations beside the sound.
  public var truth: [AnnotationKind: String] = [:]

  package init(
    id: String, file: String, source: String, sha256: String, licence: String, attribution: String,
    voice: String, kind: String, shows: String, truth: [AnnotationKind: String] = [:]
  ) {
    self.id = id
    self.file = file
    self.source = source
    self.sha256 = sha256
    self.licence = licence
    self.attribution = attribution
    self.voice = voice
    self.kind = kind
    self.shows = shows
    self.truth = truth
  }

  /// The name of the synthetic recording, where it is one.
  public var syntheticName: String? {
    source.hasPrefix("synthetic:") ? String(source.dropFirst("synthetic:".count)) : nil
  }

  /// Where the annotations of one kind are, below `Corpus/audio`.
  public func file(of kind: AnnotationKind) -> String {
    let ending = file.lastIndex(of: ".").map { file[$0...] } ?? ""
    return file.dropLast(ending.count) + kind.suffix
  }

  /// Stands for the sound of a file and all that is written down about it.
  ///
  /// Of a sound without annotations this is its own SHA-256.
  var digest: String {
    truth.isEmpty ? sha256 : Digest.sha256("\(sha256) \(truthField)")
  }

  /// In the order of the file; the last may be left out.
  static let columns = requiredColumns + ["truth"]
  static let requiredColumns = [
    "id", "file", "source", "sha256", "licence", "attribution", "voice", "kind", "shows",
  ]

  /// The row, without the end of its line.
  var row: String {
    [id, file, source, sha256, licence, attribution, voice, kind, shows, truthField]
      .map { $0.map { $0.isNewline ? " " : "\($0)" }.joined() }
      .map(CSVText.field).joined(separator: ",")
  }

  /// `f0=SHA256 notes=SHA256`: one for each file of annotations.
  private var truthField: String {
    AnnotationKind.allCases.compactMap { kind in truth[kind].map { "\(kind.rawValue)=\($0)" } }
      .joined(separator: " ")
  }

  /// The reverse; `nil` where the text is something else.
  static func truth(_ field: String) -> [AnnotationKind: String]? {
    var truth: [AnnotationKind: String] = [:]
    for pair in field.split(separator: " ") {
      let parts = pair.split(separator: "=")
      guard parts.count == 2, let kind = AnnotationKind(rawValue: String(parts[0])),
        parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit)
      else { return nil }
      truth[kind] = String(parts[1])
    }
    return truth
  }

  /// Any text with what an id can't hold replaced by `-`.
  static func id(from text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
  }

  /// Why this row can't be used, if so.
  var problem: String? {
    if id.isEmpty { return "a recording has no id" }
    if id.contains(where: { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }) {
      return "the id '\(id)' holds more than letters, digits, '-', '_' and '.'"
    }
    if !["sung", "spoken", "probe"].contains(kind) {
      return "'\(id)' is of kind '\(kind)'; choose sung, spoken or probe"
    }
    if licence.isEmpty { return "'\(id)' has no licence" }
    do { _ = try Licence(licence) } catch { return "the licence of '\(id)': \(error)" }
    if isMade { return nil }
    if file.isEmpty { return "'\(id)' has no file and is not synthetic" }
    if file.hasPrefix("/") || file.split(separator: "/").contains("..") {
      return "the file of '\(id)' lies outside Corpus/audio"
    }
    if sha256.count != 64 || !sha256.allSatisfy(\.isHexDigit) {
      return "the sha256 of '\(id)' is not 64 hexadecimal digits"
    }
    return nil
  }
}
