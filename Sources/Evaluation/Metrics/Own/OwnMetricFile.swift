import Foundation
import Platform
import Subjects
import Yams

extension OwnMetric {
  /// Keys of a file.
  static let keys = CodingKeys.allCases.filter { $0 != .file && $0 != .content }.map(\.rawValue)

  /// The places that a command may have.
  enum Place: String, CaseIterable {
    case output, reference, phones, words, lyrics, score, voice, recording
  }

  /// Reads a metric and computes its version.
  public init(reading url: URL) throws {
    func fail(_ problem: YAMLProblem) -> Refusal {
      Refusal(url.relativePath, problem.text)
    }
    do {
      let root = try YAMLFile.mapping(
        of: YAMLFile.text(of: url), content: "a metric has \(Self.keys.joined(separator: ", "))")
      self = try YAMLFile.decoded(root) { root in
        try YAMLProblem.refuse(keysOf: root, except: Self.keys, "a metric")
        root.fill(["file": Node(url.relativePath), "content": "0"])
      } checking: {
        guard let problem = $0.problem else { return }
        throw YAMLProblem(text: problem.text, place: [.name(problem.key)])
      }
    } catch let problem as YAMLProblem { throw fail(problem) }
    content = try digest()
  }

  /// The folder of its file.
  var folder: URL { URL(fileURLWithPath: file).deletingLastPathComponent() }

  /// The variables that the program gets.
  var variables: [String: String] {
    ChildEnvironment.passedOn.merging(
      environment?.resolved(in: ChildEnvironment.ofThisProcess) ?? [:]
    ) { $1 }
  }

  /// Digest of all that can change a value.
  private func digest() throws -> String {
    var files = SubjectContent(in: folder, environment: variables)
    files.add(command: command)
    for path in dependsOn ?? [] where !files.add(path: path) {
      throw Refusal(file, "'dependsOn' names '\(path)', which does not exist; correct the path")
    }
    var judged = self
    (judged.title, judged.domain, judged.install, judged.file) = ("", "", nil, "")
    judged.follows = nil
    let values = (environment?.resolved(in: ChildEnvironment.ofThisProcess) ?? [:])
      .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return Digest.sha256(
      ([try JSONEncoder.canonical.text(judged), files.digest]
        + values).joined(separator: "\n"))
  }

  /// - Throws: if its program can't be found.
  package func requireInstalled() throws {
    guard ProgramFile.path(of: command[0], in: folder, variables) == nil else { return }
    throw Refusal(
      file,
      "there is no program '\(command[0])'; "
        + (install.map { "install it: \($0)" } ?? "install it or correct the path"))
  }

  // MARK: Rules

  /// The ranges of numbers. Few programs start with less than 64 MB.
  private static let ranges: [CodingKeys: ClosedRange<Double>] = [
    .timeoutSeconds: 0.01...86_400, .memoryMB: 64...1_048_576, .rateHz: 8000...192_000,
    .minimumEffect: 1e-9...1e9,
  ]

  /// A mistake and the key that holds it; `nil` if there is none.
  private var problem: (key: String, text: String)? {
    if id.isEmpty || !id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) {
      return ("id", "the id '\(id)' must be letters, digits, '-', '_' and '.'; rename it")
    }
    if Self.isTaken(id) {
      return ("id", "the id '\(id)' is that of a metric or family of this toolkit; choose another")
    }
    if direction != .lower, ideal == nil {
      return (
        "direction", "direction \(direction) needs 'ideal', the value of a perfect voice; add it"
      )
    }
    for (key, value) in [
      (CodingKeys.timeoutSeconds, timeoutSeconds), (.memoryMB, memoryMB), (.rateHz, rateHz),
      (.minimumEffect, minimumEffect),
    ] {
      guard let value, let range = Self.ranges[key], !range.contains(value) else { continue }
      return (
        key.rawValue,
        "\(key.rawValue) is \(value); choose \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return commandProblem.map { ("command", $0) }
  }

  private var commandProblem: String? {
    if command.isEmpty { return "'command' is empty; write a list of words" }
    let template = CommandTemplate(command)
    let places = template.places
    let known = Place.allCases.map(\.rawValue)
    if let other = places.first(where: { !known.contains($0) }) {
      return "{\(other)} is no place of a metric; it has "
        + known.map { "{\($0)}" }.joined(separator: ", ")
    }
    if !places.contains(Place.output.rawValue) {
      return "the command has no {output}; add it where the file's path goes"
    }
    if places.contains(Place.reference.rawValue) != (reference != nil) {
      return reference == nil
        ? "the command has {reference}, but 'reference' is missing; write oracle, input or clean"
        : "'reference' is \(reference!), but the command has no {reference}; add it, or remove the key"
    }
    return nil
  }

  /// True for the id of a metric or family of this toolkit.
  static func isTaken(_ id: String) -> Bool {
    id == MetricChoice.allName || MetricFamily.builtIn.contains { $0.id == id }
      || id == MetricFamily.ownID || Metric.builtIn.contains { $0.id == id }
  }
}

extension OwnMetric {
  /// Returns a plan's list of metrics with each own metric written out.
  ///
  /// - Parameters:
  ///   - nodes: names of metrics and families, names of files in the folders, or paths of files.
  ///   - plan: the plan's folder, from which paths start; otherwise from the working folder.
  ///   - folders: folders `metrics`, the first with a file counts.
  package static func written(
    out nodes: Node.Sequence, beside plan: URL?, folders: [URL]
  ) throws -> Node {
    Node(
      try nodes.enumerated().map { index, node in
        guard let name = node.string, !isTaken(name) else { return node }
        let isPath = name.hasSuffix(".yaml")
        let beside = name.hasPrefix("/") ? nil : plan?.appendingPathComponent(name)
        let paths =
          isPath
          ? [beside, URL(fileURLWithPath: name)].compactMap(\.self)
          : folders.map { $0.appendingPathComponent("\(name).yaml") }
        let found = paths.first { FileManager.default.fileExists(atPath: $0.path) }
        guard let file = found ?? (isPath ? paths.first : nil) else { return node }
        do {
          let metric = try OwnMetric(reading: file)
          // JSON is YAML.
          return try Yams.compose(yaml: try JSONEncoder.canonical.text(metric))!
        } catch {
          throw YAMLProblem(text: "\(error)", place: [.name("metrics"), .index(index)])
        }
      })
  }
}
