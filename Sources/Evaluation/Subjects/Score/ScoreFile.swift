import AudioFile
import Foundation
import Platform
import Yams

/// An invalid score, with its place.
public struct ScoreError: Error, Equatable, CustomStringConvertible {
  /// The score's file; `nil` for a score inside a plan.
  public var path: String?
  /// The line from 1, if known.
  public var line: Int?
  public var problem: String

  public var description: String {
    switch (path, line) {
    case (let path?, let line?): "\(path):\(line): \(problem)"
    case (let path?, nil): "\(path): \(problem)"
    case (nil, let line?): "line \(line): \(problem)"
    case (nil, nil): problem
    }
  }
}

extension Score {
  /// Creates a score from a MIDI file.
  public init(playing path: String) throws {
    let file = try MIDIFile(reading: path)
    self.init(id: "midi", .midi(file: path, events: ScoreEvent.events(of: file)))
    notSung = file.played().unsung.map(\.description)
  }

  /// Reads a score file, `NAME.yaml`. Its id is NAME; one that is written must be that.
  public init(reading url: URL) throws(ScoreError) {
    func fail(_ problem: String, line: Int? = nil) -> ScoreError {
      ScoreError(path: url.path, line: line, problem: problem)
    }
    var node: Node?
    do { node = try YAMLFile.node(of: YAMLFile.text(of: url)) } catch { throw fail(error.text) }
    let name = url.deletingPathExtension().lastPathComponent
    node?.mapping?.fill(["id": Node(name)])
    guard let node else { throw fail("is empty; a score has \(Self.formList)") }
    do { try self.init(node, folder: url.deletingLastPathComponent()) } catch {
      throw fail(error.problem, line: error.line)
    }
    guard id == name else {
      throw fail("the id is '\(id)' but the file's name is '\(name)'; make them equal")
    }
  }

  /// Reads one score of a plan: a score itself, or the name of a file in `folder`.
  ///
  /// - Parameter folder: the folder of score files and of the MIDI files that they name.
  init(_ node: Node, folder: URL) throws(ScoreError) {
    if case .scalar(let name) = node {
      let url = folder.appendingPathComponent("\(name.string).yaml")
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw ScoreError(
          line: node.mark?.line,
          problem:
            "there is no score '\(name.string)'; \(folder.path) has \(Self.names(in: folder))")
      }
      try self.init(reading: url)
      return
    }
    func fail(_ problem: YAMLProblem) -> ScoreError {
      ScoreError(line: problem.line(in: node), problem: problem.text)
    }
    do {
      try Self.refuseUnknownKeys(of: node)
      self = try YAMLDecoder().decode(Score.self, from: node)
      do {
        try loadMIDI(from: folder)
        try validate()
      } catch { throw error.located }
    } catch let problem as YAMLProblem {
      throw fail(problem)
    } catch let error as DecodingError {
      throw fail(YAMLProblem(error, in: node))
    } catch {
      throw fail(YAMLProblem(text: "\(error)"))
    }
  }

  /// Returns the scores of a plan, with every name replaced by its score.
  ///
  /// - Parameter folders: the folders of score files; the first that has a file counts. MIDI files of
  ///   scores inside the plan are in the first folder.
  package static func written(out nodes: Node.Sequence, folders: [URL]) throws -> Node? {
    let scores = try nodes.map { node in
      guard case .scalar(let name) = node else { return try Score(node, folder: folders[0]) }
      let holding = folders.first { folder in
        let file = folder.appendingPathComponent("\(name.string).yaml")
        return FileManager.default.fileExists(atPath: file.path)
      }
      return try Score(node, folder: holding ?? folders[folders.count - 1])
    }
    // JSON is YAML.
    return try Yams.compose(yaml: try JSONEncoder.canonical.text(scores))
  }

  private mutating func loadMIDI(from folder: URL) throws(YAMLProblem) {
    guard case .midi(let file, _) = form else { return }
    do {
      let content = try MIDIFile(reading: folder.appendingPathComponent(file).path)
      form = .midi(file: file, events: ScoreEvent.events(of: content))
      notSung = content.played().unsung.map(\.description)
    } catch { throw YAMLProblem(text: "\(error)", place: [.key(.midi)]) }
  }

  /// The keys of each form beside `id` and `title`; the first key identifies the form.
  private static let forms: [(keys: [CodingKeys], items: [CodingKeys: [String]])] = [
    ([.intervalsSemitones], [:]),
    ([.degrees, .key], [:]),
    ([.map], [:]),
    ([.tuned], [:]),
    ([.chords, .lowestNote], [.chords: ["atSeconds", "chord"]]),
    ([.progression, .key, .tempo, .timeSignature, .lowestNote], [:]),
    (
      [.pads, .pedal, .lowestNote],
      [
        .pads: ["atSeconds", "chord", "forSeconds", "strumMs", "strum"],
        .pedal: ["fromSeconds", "toSeconds"],
      ]
    ),
    ([.notes], [.notes: ["atSeconds", "press", "release", "pedal"]]),
    ([.midi], [:]),
  ]

  /// The form of pads and notes in beats, which the key `tempo` tells from those in seconds.
  private static let sequence: (keys: [CodingKeys], items: [CodingKeys: [String]]) = (
    [.tempo, .timeSignature, .swing, .loop, .pads, .notes, .pedal, .lowestNote],
    [
      .pads: ["atBeats", "chord", "forBeats", "velocity", "strumMs", "strum"],
      .notes: ["atBeats", "press", "forBeats", "velocity", "bends"],
      .pedal: ["fromBeats", "toBeats"],
    ]
  )

  private static let formList =
    "one of " + forms.map { $0.keys[0].rawValue }.joined(separator: ", ")

  private static func refuseUnknownKeys(of node: Node) throws(YAMLProblem) {
    guard let score = node.mapping else {
      throw YAMLProblem(text: "a score is a name, or an id and \(formList); write one")
    }
    var given = forms.filter { score[$0.keys[0].rawValue] != nil }
    let inBeats = given.filter { [.pads, .notes].contains($0.keys[0]) }
    if score[CodingKeys.tempo.rawValue] != nil, inBeats.count == given.count, !given.isEmpty {
      given = [sequence]
    }
    if given.isEmpty {
      let known = Set(["id", "title"] + forms.flatMap { $0.keys.map(\.rawValue) })
      for key in score.keys where !known.contains(key.string ?? "") {
        throw YAMLProblem(
          text: "a score has no '\(key.string ?? "?")'; write exactly \(formList)",
          place: [.name(key.string ?? "?")])
      }
    }
    guard given.count == 1 else {
      throw YAMLProblem(
        text: "has \(given.isEmpty ? "no" : "more than one") form; write exactly \(formList)")
    }
    let allowed = ["id", "title"] + given[0].keys.map(\.rawValue)
    try YAMLProblem.refuse(
      keysOf: score, except: allowed,
      given[0].keys[0] == .tempo
        ? "a score in beats" : "a score of \(given[0].keys[0].rawValue)")
    for (key, allowed) in given[0].items {
      for (index, item) in (score[key.rawValue]?.sequence ?? []).enumerated() {
        guard let mapping = item.mapping else { continue }  // the decoder reports it
        try YAMLProblem.refuse(
          keysOf: mapping, except: allowed, "an item of \(key.rawValue)",
          [.name(key.rawValue), .index(index)])
      }
    }
  }

  private static func names(in folder: URL) -> String {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
