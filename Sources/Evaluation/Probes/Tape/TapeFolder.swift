import AudioFile
import Corpus
import Foundation
import Platform
import Subjects

/// A folder of takes of a test tape: a subject of kind `folder`, a plan for it, and the parts of each take.
///
/// Takes at several settings or scores stand side by side, so the plan is a sweep over them.
public struct TapeFolder {
  /// A recording of the tape through a system at one setting and one score.
  public struct Take: Codable, Equatable, Sendable {
    public var score: Score
    public var settings: SubjectSettings
    /// Name of the recording's file.
    public var file: String
    /// Ids of the recordings of the corpus that it has.
    public var recordings: [String]
    /// Metrics and families that it can't show, with the reason.
    public var unmeasured: [String: String]

    public init(
      score: Score, settings: SubjectSettings, file: String, recordings: [String],
      unmeasured: [String: String]
    ) {
      (self.score, self.settings, self.file) = (score, settings, file)
      (self.recordings, self.unmeasured) = (recordings, unmeasured)
    }

    /// Name of the folder of its parts: one for each take.
    var folder: String {
      ([score.id] + settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        .joined(separator: "_")
    }
  }

  /// Properties that all takes of a folder share.
  public struct Output: Codable, Equatable, Sendable {
    /// Content of the output's channels, as in a subject's file.
    public var channels: ChannelChoice?
    /// True if the output holds the dry voice.
    public var dry: Bool
    /// Digest of the tape.
    public var tape: String

    public init(channels: ChannelChoice?, dry: Bool, tape: String) {
      (self.channels, self.dry, self.tape) = (channels, dry, tape)
    }
  }

  /// The file that keeps the takes.
  private struct File: Codable {
    var schema = "choir-eval.takes/1"
    var output: Output
    var takes: [Take]
  }

  public let url: URL
  public private(set) var takes: [Take]
  private let output: Output

  public var subject: URL { url.appendingPathComponent("subject.yaml") }
  public var plan: URL { url.appendingPathComponent("plan.yaml") }
  private var takesFile: URL { url.appendingPathComponent("takes.json") }
  /// Id of the subject and name of the plan.
  public var id: String {
    let name = url.standardizedFileURL.lastPathComponent
    return String(name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
  }

  /// Opens a folder, which may have takes of the same tape.
  public init(_ url: URL, _ output: Output) throws {
    (self.url, self.output) = (url, output)
    takes = []
    guard FileManager.default.fileExists(atPath: takesFile.path) else {
      for file in [subject, plan] where FileManager.default.fileExists(atPath: file.path) {
        throw Refusal("\(file.relativePath) was not written by tape read; choose another folder")
      }
      return
    }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: GivenFile.data(at: takesFile))
    } catch {
      throw Refusal(
        "\(takesFile.relativePath) is no list of takes that this build reads; choose another folder"
      )
    }
    guard file.output == output else {
      throw Refusal(
        "\(url.relativePath) holds takes of another tape, or with other channels; choose another folder"
      )
    }
    takes = file.takes
  }

  // MARK: Takes

  /// Checks that a take can stand beside the others.
  ///
  /// - Parameter replaces: true if a take with the same score and settings may be replaced.
  public func check(_ take: Take, replacing replaces: Bool) throws {
    for (name, value) in take.settings {
      guard CommandTemplate(["{\(name)}"]).settingNames == [name] else {
        throw Refusal(
          "a setting can't be called '\(name)'; write letters and digits, a letter first, and no "
            + "place of a command such as semitones")
      }
      let text = value.description
      guard text.allSatisfy({ $0.isLetter || $0.isNumber || "-+.".contains($0) }), !text.isEmpty
      else {
        throw Refusal(
          "the setting '\(name)' is '\(text)'; write letters, digits, '-', '+' and '.' only")
      }
    }
    if let other = takes.first, other.settings.keys.sorted() != take.settings.keys.sorted() {
      func list(_ take: Take) -> String {
        take.settings.isEmpty ? "none" : take.settings.keys.sorted().joined(separator: ", ")
      }
      throw Refusal(
        "this take has the settings \(list(take)), and those in \(url.relativePath) have "
          + "\(list(other)); say the same settings of every take")
    }
    if let same = takes.first(where: { $0.score.id == take.score.id && $0.score != take.score }) {
      throw Refusal(
        "\(url.relativePath) has another score '\(same.score.id)'; choose another folder")
    }
    if !replaces, let same = takes.first(where: { $0.folder == take.folder }) {
      throw Refusal(
        "\(url.relativePath) has a take of this score at these settings, \(same.file); say what "
          + "this one was set to with --set, or add --force to replace it")
    }
  }

  /// Writes the parts of a take.
  public mutating func add(_ take: Take, parts: [(recording: String, sound: AudioFile)]) throws {
    let folder = url.appendingPathComponent("takes/\(take.folder)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (recording, sound) in parts {
      try sound.write(to: folder.appendingPathComponent("\(recording).wav").path)
    }
    takes.removeAll { $0.folder == take.folder }
    takes.append(take)
  }

  /// Writes the subject, its plan and the list of takes.
  public func writeDescriptions() throws {
    try WholeFile.write(subjectText(), to: subject.path)
    try WholeFile.write(planText(), to: plan.path)
    let file = File(output: output, takes: takes)
    try WholeFile.write(JSONEncoder.readable.text(file) + "\n", to: takesFile.path)
  }

  // MARK: Texts

  private func subjectText() throws -> String {
    let names = takes[0].settings.keys.sorted()
    let place = (["{score}"] + names.map { "\($0)={\($0)}" }).joined(separator: "_")
    let unmeasured = takes.reduce(into: [:]) { all, take in
      all.merge(take.unmeasured) { first, _ in first }
    }
    let subject: JSONObject = [
      "id": id, "title": "\(counted(takes.count, "take")) of a test tape", "kind": "folder",
      "files": "takes/\(place)/{recording}.wav", "settings": takes[0].settings,
      "channels": output.channels, "dry": output.dry, "unmeasured": unmeasured,
    ]
    return try text(subject, "Recorded from a test tape")
  }

  private func planText() throws -> String {
    let shared = takes[0].recordings.filter { id in takes.allSatisfy { $0.recordings.contains(id) }
    }
    guard !shared.isEmpty else {
      throw Refusal("no recording came out whole in every take; record again")
    }
    let subjects = takes.map { take -> JSONObject in
      [
        "id": "subject.yaml", "scores": [take.score.id],
        "settings": take.settings.mapValues { [$0] },
      ]
    }
    let plan: JSONObject = [
      "name": id, "subjects": subjects, "recordings": shared, "listen": [shared[0]],
      "scores": takes.map(\.score).reduce(into: [Score]()) { scores, score in
        if !scores.contains(score) { scores.append(score) }
      },
    ]
    return try text(plan, "The takes of a test tape")
  }

  /// A file as JSON, which is YAML.
  private func text(_ content: JSONObject, _ title: String) throws -> String {
    "# \(title); written by choir-eval tape read.\n"
      + (try JSONEncoder.readable.text(content)) + "\n"
  }
}
