import DSP
import Foundation
import Platform
import Yams

/// The YAML of a project. Unknown keys, later formats, and takes whose parts are not there are
/// refused, with the line.
extension ProjectFile: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case format, title, recordings, presets, sequences, takes
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard format == Self.format else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: container,
        debugDescription: "is \(format); this version reads \(Self.format). "
          + (format > Self.format ? "Update choir" : "Write \(Self.format)"))
    }
    title = try container.decodeIfPresent(String.self, forKey: .title)
    recordings = try container.decodeIfPresent([Recording].self, forKey: .recordings) ?? []
    presets = try container.decodeIfPresent([StoredFile].self, forKey: .presets) ?? []
    sequences = try container.decodeIfPresent([StoredFile].self, forKey: .sequences) ?? []
    takes = try container.decodeIfPresent([Take].self, forKey: .takes) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encode(recordings, forKey: .recordings)
    try container.encode(presets, forKey: .presets)
    try container.encode(sequences, forKey: .sequences)
    try container.encode(takes, forKey: .takes)
  }

  /// Reads and checks a `project.yaml`.
  public init(reading url: URL) throws(ProjectError) {
    do { self = try Self.parsed(YAMLFile.text(of: url)) } catch let problem as YAMLProblem {
      throw .damaged(path: url.path, problem: problem.text)
    } catch { throw .damaged(path: url.path, problem: "\(error)") }
  }

  static func parsed(_ text: String) throws -> ProjectFile {
    let keys = CodingKeys.allCases.map(\.rawValue)
    let root = try YAMLFile.mapping(
      of: text, content: "a project has \(keys.joined(separator: ", "))")
    return try YAMLFile.decoded(
      root,
      expanding: { root in
        try YAMLProblem.refuse(keysOf: root, except: keys, "the project")
        for item in ProjectItem.allCases { try refuseKeys(of: item, in: root) }
      }, checking: { (file: ProjectFile) in try file.validate() })
  }

  private static func refuseKeys(of item: ProjectItem, in root: Node.Mapping) throws(YAMLProblem) {
    let keys =
      switch item {
      case .recording: ["name", "file", "sample"]
      case .preset, .sequence: ["name", "file"]
      case .take:
        [
          "name", "recording", "sequence", "chord", "preset", "effects", "dryGain", "seed",
          "seconds",
        ]
      }
    for (index, node) in (root[item.folder]?.sequence ?? []).enumerated() {
      guard let mapping = node.mapping else { continue }  // the decoder reports it
      try YAMLProblem.refuse(
        keysOf: mapping, except: keys, "a \(item)", [.name(item.folder), .index(index)])
    }
  }

  /// The text of the file.
  func text() throws -> String {
    let encoded = try YAMLEncoder().encode(self)
    guard let node = try Yams.compose(yaml: encoded) else { return "" }
    return "# A project of choir; docs/reference/live.md#projects describes it.\n"
      + (try Yams.serialize(node: Self.readable(node), width: -1, allowUnicode: true))
  }

  /// Returns the node with numbers as people write them: Yams writes 0.5 as 5e-1.
  private static func readable(_ node: Node) -> Node {
    switch node {
    case .scalar(var scalar):
      if scalar.style == .plain, scalar.string.contains("e"), let number = node.float {
        scalar.string = number.typed
      }
      return .scalar(scalar)
    case .sequence(var items):
      for index in items.indices { items[index] = readable(items[index]) }
      return .sequence(items)
    case .mapping(var pairs):
      for (key, value) in pairs { pairs[key] = readable(value) }
      return .mapping(pairs)
    case .alias: return node
    }
  }

  // MARK: - Checks

  func validate() throws(YAMLProblem) {
    for item in ProjectItem.allCases {
      var seen: Set<ProjectName> = []
      for (index, name) in names(of: item).enumerated() where !seen.insert(name).inserted {
        throw YAMLProblem(
          text: "there are two \(item.folder) called '\(name)'; rename one",
          place: [.name(item.folder), .index(index), .name("name")])
      }
      for (index, entry) in files(of: item).enumerated()
      where !Self.isPath(entry.file, below: item.folder) {
        throw YAMLProblem(
          text: "'\(entry.file)' is no file below \(item.folder); write a path such as "
            + "\(item.folder)/NAME",
          place: [.name(item.folder), .index(index), .name("file")])
      }
    }
    for (index, recording) in recordings.enumerated() {
      do { try recording.sample.validate() } catch {
        throw YAMLProblem(
          text: "\(error)", place: [.name("recordings"), .index(index), .name("sample")])
      }
    }
    for (index, take) in takes.enumerated() { try validate(take, index) }
  }

  private func validate(_ take: Take, _ index: Int) throws(YAMLProblem) {
    func refuse(_ text: String, _ key: String) -> YAMLProblem {
      YAMLProblem(text: text, place: [.name("takes"), .index(index), .name(key)])
    }
    for (item, name) in take.parts where !names(of: item).contains(name) {
      throw refuse("the project has no \(item) '\(name)'; correct the name", item.rawValue)
    }
    if let problem = take.problem { throw refuse(problem.text, problem.key) }
  }

  /// True for the only spelling of a path below a folder of the project.
  private static func isPath(_ path: String, below folder: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 && parts[0] == folder && !path.utf8.contains(0)
      && !parts.contains { ["", ".", ".."].contains($0) }
  }
}

extension ProjectFile.Take {
  /// The items that it needs.
  var parts: [(ProjectItem, ProjectName)] {
    [(.recording, recording)]
      + [(ProjectItem.sequence, sequence), (.preset, preset)].compactMap { item, name in
        name.map { (item, $0) }
      }
  }

  /// The first setting that can't be, with its key.
  var problem: (key: String, text: String)? {
    if sequence != nil, chord != nil {
      return ("chord", "the take has a sequence and a chord; keep one")
    }
    if sequence == nil, chord == nil, preset == nil, effects == nil {
      return ("name", "the take has nothing to sing; add a sequence, a chord or a preset")
    }
    if let dryGain, !(0...4 ~= dryGain) {
      return ("dryGain", "dryGain is \(dryGain.short); choose 0 to 4")
    }
    if let seconds, !(0.01...3600 ~= seconds) {
      return ("seconds", "seconds is \(seconds.short); choose 0.01 to 3600")
    }
    return nil
  }
}
