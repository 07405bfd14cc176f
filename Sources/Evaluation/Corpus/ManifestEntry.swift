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

  /// The name of the synthetic recording, where it is one.
  public var syntheticName: String? {
    source.hasPrefix("synthetic:") ? String(source.dropFirst("synthetic:".count)) : nil
  }

  /// In the order of the file.
  static let columns = [
    "id", "file", "source", "sha256", "licence", "attribution", "voice", "kind", "shows",
  ]

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
