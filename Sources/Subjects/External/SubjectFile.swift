import Corpus
import Files
import Foundation
import Yams

/// A system under test described by a user's YAML file: a command, a program in a pipe, or a folder of
/// rendered sounds.
///
/// `docs/reference/subjects.md` shows each kind.
public struct SubjectFile: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable { case command, stream, folder }

  public var id: String
  /// A description for readers.
  public var title: String?
  public var kind: Kind
  /// The program and its arguments, with places in braces.
  public var command: [String]?
  /// A command that prints the version of the program, for readers.
  public var versionCommand: [String]?
  /// Files and folders that the sound depends on and that the command does not name, relative to this
  /// file.
  public var dependsOn: [String]?
  /// Environment variables beside those that every program gets.
  public var environment: SubjectEnvironment?
  /// The format of the files that a command reads.
  public var inputFormat: InputFormat?
  /// The channel to measure of output with several.
  public var channels: ChannelChoice?
  /// The path of a rendered file, with places in braces, relative to this file or absolute.
  public var files: String?
  /// The settings and their defaults; a plan can set only these.
  public var settings: SubjectSettings?
  /// The latency that its maker states.
  public var latencyMs: Double?
  public var timeoutSeconds: Double?
  public var memoryMB: Double?
  /// Largest difference of length from the input, which is cut or padded.
  public var lengthToleranceMs: Double?
  /// The command that installs the program.
  public var install: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, kind, command, versionCommand, dependsOn, environment, inputFormat, channels
    case files, settings, latencyMs, timeoutSeconds, memoryMB, lengthToleranceMs, install
  }

  public init(reading url: URL) throws {
    func fail(_ problem: String) -> SubjectError {
      .settings(subject: url.path, problem: problem)
    }
    let root: Node.Mapping
    do {
      root = try YAMLFile.mapping(
        of: YAMLFile.text(of: url), content: "a subject has \(Self.names)")
    } catch { throw fail(error.text) }
    do {
      try YAMLProblem.refuse(
        keysOf: root, except: CodingKeys.allCases.map(\.rawValue), "a subject")
      try Self.refuseOtherKinds(root)
      self = try YAMLDecoder().decode(Self.self, from: Node.mapping(root))
      try refuseOutOfRange()
    } catch let problem as YAMLProblem {
      throw fail(problem.lined(in: root).text)
    } catch let error as DecodingError {
      throw fail(YAMLProblem(error, in: .mapping(root)).lined(in: root).text)
    }
    if let problem { throw fail(problem) }
  }

  private static let names = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")

  /// Refuses values whose errors a decoder would describe in its own terms.
  private static func refuseOtherKinds(_ root: Node.Mapping) throws(YAMLProblem) {
    func refuse(_ key: CodingKeys, _ wanted: String) throws(YAMLProblem) {
      throw YAMLProblem(
        text: "'\(key.rawValue)' is \(root[key.rawValue]?.string ?? "no single value"); \(wanted)",
        place: [.name(key.rawValue)])
    }
    if let kind = root["kind"], Kind(rawValue: kind.string ?? "") == nil {
      try refuse(.kind, "choose \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    if let format = root["inputFormat"], InputFormat(rawValue: format.string ?? "") == nil {
      try refuse(
        .inputFormat, "choose \(InputFormat.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    if let channels = root["channels"], ChannelChoice(channels.string ?? "") == nil {
      try refuse(.channels, "write average, or the number of a channel from 1")
    }
    if let environment = root["environment"], SubjectEnvironment(environment) == nil {
      try refuse(
        .environment,
        "write a list of names to pass on, such as [LV2_PATH], or names with values")
    }
    for key in [CodingKeys.command, .versionCommand, .dependsOn] {
      if let words = root[key.rawValue], words.sequence == nil {
        try refuse(key, "write a list of words, such as [sox, \"{input}\", \"{output}\"]")
      }
    }
    for key in ranges.keys {
      if let number = root[key.rawValue], number.float == nil { try refuse(key, "write a number") }
    }
  }

  /// The allowed ranges. Few programs start with less than 64 MB.
  private static let ranges: [CodingKeys: ClosedRange<Double>] = [
    .latencyMs: 0...60_000, .timeoutSeconds: 0.01...86_400, .memoryMB: 64...1_048_576,
    .lengthToleranceMs: 0...60_000,
  ]

  private func refuseOutOfRange() throws(YAMLProblem) {
    let given: [(CodingKeys, Double?)] = [
      (.latencyMs, latencyMs), (.timeoutSeconds, timeoutSeconds), (.memoryMB, memoryMB),
      (.lengthToleranceMs, lengthToleranceMs),
    ]
    for (key, value) in given {
      guard let value, let range = Self.ranges[key], !range.contains(value) else { continue }
      throw YAMLProblem(
        text: "'\(key.rawValue)' is \(SettingValue.number(value)); choose "
          + "\(SettingValue.number(range.lowerBound)) to \(SettingValue.number(range.upperBound))",
        place: [.name(key.rawValue)])
    }
  }

  /// An error in the file and its remedy; `nil` if it is valid.
  private var problem: String? {
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      return "the id '\(id)' must be letters, digits, '-', '_' and '.'; rename it"
    }
    let template = CommandTemplate(kind == .folder ? [files ?? ""] : command ?? [])
    for name in template.settingNames where settings?[name] == nil {
      let places = CommandTemplate.Place.allCases.map { "{\($0.rawValue)}" }
      return
        "{\(name)} is neither a place (\(places.joined(separator: ", "))) nor a setting; add it to "
        + "'settings' or correct it"
    }
    for name in (settings ?? [:]).keys.sorted() {
      if CommandTemplate.Place(rawValue: name) != nil {
        return "a setting can't be called '\(name)', which choir-eval fills in; rename the setting"
      }
      if !template.places.contains(name) {
        return "the setting '\(name)' has no place; write {\(name)} in "
          + (kind == .folder ? "'files'" : "'command'")
      }
    }
    if inputFormat != nil, kind != .command {
      return "a \(kind.rawValue) has no 'inputFormat', which is for commands; remove it"
    }
    switch kind {
    case .folder:
      return files == nil
        ? "a folder needs 'files', such as renders/{recording}_{semitones}.wav" : nil
    case .command:
      guard let command, !command.isEmpty else {
        return "a command needs 'command'; write a list of words"
      }
      for place in [CommandTemplate.Place.input, .output] where !template.has(place) {
        return "the command has no {\(place.rawValue)}; add it where the file's path goes"
      }
      return nil
    case .stream:
      guard let command, !command.isEmpty else {
        return "a stream needs 'command'; write a list of words"
      }
      for place in [CommandTemplate.Place.input, .output] where template.has(place) {
        return "a stream has no {\(place.rawValue)}, because sound goes through standard input and "
          + "output; remove it"
      }
      return nil
    }
  }
}
