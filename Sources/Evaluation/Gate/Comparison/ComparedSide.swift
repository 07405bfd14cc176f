import AudioFile
import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// One side of a comparison, as named on the command line.
///
/// - a sound file;
/// - a run: `results.sqlite` (its last run), `results.sqlite#NAME`, or `NAME` in the default store;
/// - some of a run's cells: either of these followed by `?engine=psola&windowMs=40`;
/// - a preset: `preset:vader`, or a JSON file.
public enum ComparedSide: Equatable, Sendable {
  case sound(path: String)
  case run(store: URL, name: String?, choice: SubjectSettings)
  /// The id of a subject.
  case preset(String)

  /// - Parameter store: store of runs that are given by name alone.
  public init(_ text: String, store: URL) throws(Problem) {
    if text.hasPrefix(PresetSubject.prefix) {
      self = .preset(text)
      return
    }
    let status = FileStatus(text)
    if status?.isFolder == true {
      throw Problem(
        description:
          "\(text) is a folder; choose a sound file in it. To compare all its files, measure the "
          + "folder as a subject in a plan (docs/reference/subjects.md) and compare runs")
    }
    if status != nil, text.hasSuffix(".json") {
      self = .preset(PresetSubject.prefix + text)
      return
    }
    if status != nil, !Self.isStore(text) {
      self = .sound(path: text)
      return
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let choice = try Self.choice(parts.count > 1 ? String(parts[1]) : "", in: text)
    let path = String(place[0])
    if Self.isStore(path) {
      let name = place.count > 1 ? String(place[1]) : nil
      self = .run(store: URL(fileURLWithPath: path), name: name, choice: choice)
    } else if place.count == 1, !path.isEmpty, !Self.looksLikeFile(path),
      Self.isStore(store.path)
    {
      self = .run(store: store, name: path, choice: choice)
    } else {
      throw Problem(
        description: "'\(text)' is no sound file, store, run or preset; choose a sound file, a "
          + ".sqlite file, the name of a run in --store, or preset:NAME")
    }
  }

  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// True for an invalid spelling rather than a missing file or run.
    public var isMisuse = false
  }

  private static func choice(_ text: String, in whole: String) throws(Problem) -> SubjectSettings {
    var choice: SubjectSettings = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else {
        throw Problem(
          description: "'\(part)' in '\(whole)' is not a setting; write NAME=VALUE, as in "
            + "demo?engine=psola&windowMs=40", isMisuse: true)
      }
      choice[String(pair[0])] = Double(pair[1]).map { .number($0) } ?? .text(String(pair[1]))
    }
    return choice
  }

  /// Returns true if the text looks like a path, although there is no such file.
  private static func looksLikeFile(_ path: String) -> Bool {
    let kind = URL(fileURLWithPath: path).pathExtension.lowercased()
    let isKind = ["sqlite", "json"].contains(kind) || AudioFormat(extensionOf: path) != nil
    return path.contains("/") || isKind && !path.contains(PresetSubject.prefix)
  }

  /// Returns true if the file starts as every SQLite file does.
  private static func isStore(_ path: String) -> Bool {
    let head = try? GivenFile.head(16, of: URL(fileURLWithPath: path))
    return head.map { $0.starts(with: Data("SQLite format 3".utf8)) } ?? false
  }
}

extension StoredRun {
  /// Returns the run with only the cells of these settings, subject, score, condition or recording.
  ///
  /// - Throws: if there are none; the error lists the available values.
  public func choosing(_ choice: SubjectSettings) throws(ComparedSide.Problem) -> StoredRun {
    var run = self
    for (name, wanted) in choice.sorted(by: { $0.key < $1.key }) {
      let values = Set(run.cells.compactMap { $0.value(ofAxis: name)?.description }).sorted()
      run.cells.removeAll { $0.value(ofAxis: name)?.description != wanted.description }
      guard !run.cells.isEmpty else {
        throw ComparedSide.Problem(
          description: "no cell of the run '\(plan.name)' has \(name)=\(wanted); "
            + (values.isEmpty
              ? "it has no \(name)" : "choose \(name)= one of \(values.joined(separator: ", "))"))
      }
    }
    return run
  }
}

extension CellResult {
  /// Returns the value of a setting, or the subject, score, condition or recording.
  fileprivate func value(ofAxis name: String) -> SettingValue? {
    switch name {
    case SettingSummary.subjectAxis: .text(subject)
    case "score": .text(score.id)
    case "condition": .text(condition)
    case "recording": .text(recording)
    default: settings[name]
    }
  }
}
