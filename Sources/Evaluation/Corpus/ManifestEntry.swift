import Foundation
import Platform

/// One row of `Corpus/manifest.csv`.
public struct ManifestEntry: Codable, Equatable, Sendable {
  public var id: String
  /// The path below `Corpus/audio`; empty for a synthetic recording.
  public var file: String
  /// The origin: `debian:PACKAGE:PATH`, `shipped:REPOSITORY:PATH`, `synthetic:NAME`, `copy:ID` or
  /// free text.
  public var source: String
  /// The file's SHA-256; empty for a synthetic recording.
  public var sha256: String
  /// An SPDX expression.
  public var licence: String
  public var attribution: String
  public var voice: String
  /// `sung`, `spoken`, `stress` or `probe`.
  public var kind: String
  /// The case that the recording covers, in words.
  public var shows: String
  /// The SHA-256 of each file of annotations beside the sound.
  public var truth: [AnnotationKind: String] = [:]
  /// The technique as the manifest states it; `nil` if its column is empty or missing.
  public var statedTechnique: String?
  /// The smallest tier that may take the recording; `nil` for any.
  public var smallestTier: Tier?

  package init(
    id: String, file: String = "", source: String = "", sha256: String = "", licence: String = "",
    attribution: String = "", voice: String = "", kind: String, shows: String = ""
  ) {
    (self.id, self.file, self.source, self.sha256) = (id, file, source, sha256)
    (self.licence, self.attribution) = (licence, attribution)
    (self.voice, self.kind, self.shows) = (voice, kind, shows)
  }

  /// True for a sound that tests the subject itself: a probe, or a voice after stress. Every tier has
  /// it, and it is heard clean.
  public var isBenchSound: Bool { isProbe || kind == "stress" }
  /// True for a sound without a voice.
  public var isProbe: Bool { kind == Self.probeKind }
  package static let probeKind = "probe"

  /// The name of a synthetic recording; `nil` for any other.
  public var syntheticName: String? {
    source.hasPrefix("synthetic:") ? String(source.dropFirst("synthetic:".count)) : nil
  }

  /// Returns the path of the annotations of one kind, below `Corpus/audio`.
  public func file(of kind: AnnotationKind) -> String {
    let ending = file.lastIndex(of: ".").map { file[$0...] } ?? ""
    return file.dropLast(ending.count) + kind.suffix
  }

  /// A digest of the sound file and its annotations; without annotations, the sound's own SHA-256.
  var digest: String {
    truth.isEmpty ? sha256 : Digest.sha256("\(sha256) \(truthField)")
  }

  /// The columns of the manifest in order. The last ones are optional: a manifest may end with any
  /// column from `shows` on.
  static let columns = requiredColumns + ["truth", "technique", "tier"]
  static let requiredColumns = [
    "id", "file", "source", "sha256", "licence", "attribution", "voice", "kind", "shows",
  ]

  /// Returns the row of the first `count` columns without its line end.
  func row(columns count: Int) -> String {
    [
      id, file, source, sha256, licence, attribution, voice, kind, shows, truthField,
      statedTechnique ?? "", smallestTier?.rawValue ?? "",
    ]
    .prefix(count)
    .map { $0.map { $0.isNewline ? " " : "\($0)" }.joined() }
    .map(CSVText.field).joined(separator: ",")
  }

  /// The field `truth`: `f0=SHA256 notes=SHA256`, one pair for each annotation file.
  private var truthField: String {
    AnnotationKind.allCases.compactMap { kind in truth[kind].map { "\(kind.rawValue)=\($0)" } }
      .joined(separator: " ")
  }

  /// Parses the field `truth`; returns `nil` if it is malformed.
  static func truth(_ field: String) -> [AnnotationKind: String]? {
    var truth: [AnnotationKind: String] = [:]
    for pair in field.split(separator: " ") {
      let parts = pair.split(separator: "=")
      guard parts.count == 2, let kind = AnnotationKind(rawValue: String(parts[0])),
        parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit)
      else { return nil }
      truth[kind] = parts[1].lowercased()
    }
    return truth
  }

  /// Returns the text with characters that an id can't have replaced by `-`.
  static func id(from text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
  }

  /// The error in this row, and its remedy; `nil` if the row is valid.
  var problem: String? {
    if id.isEmpty { return "the row has no id; write one" }
    if id.contains(where: { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }) {
      return "the id '\(id)' has other characters than letters, digits, '-', '_' and '.'; rename it"
    }
    if [".", ".."].contains(id) { return "the id '\(id)' is the name of a folder; rename it" }
    if !["sung", "spoken", "stress", "probe"].contains(kind) {
      return "'\(id)' is of kind '\(kind)'; choose sung, spoken, stress or probe"
    }
    if licence.isEmpty { return "'\(id)' has no licence; write its SPDX expression" }
    do { _ = try Licence(licence) } catch { return "the licence of '\(id)': \(error)" }
    if isMade { return nil }
    if file.isEmpty {
      return "'\(id)' has no file and is not synthetic; write its path below Corpus/audio"
    }
    if file.hasPrefix("/") || file.split(separator: "/").contains("..") {
      return "the file of '\(id)' is outside Corpus/audio; write a path below that folder"
    }
    if sha256.count != 64 || !sha256.allSatisfy(\.isHexDigit) {
      return "the sha256 of '\(id)' is not 64 hexadecimal digits; write what sha256sum prints"
    }
    return nil
  }
}
