import Corpus
import Files
import Foundation
import Yams

/// A system under test that a user describes in a YAML file: a command, a program in a pipe, or a
/// folder of sounds that are rendered already.
///
/// `docs/reference/subjects.md` shows each kind.
public struct SubjectFile: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable { case command, stream, folder }

  public var id: String
  /// For people.
  public var title: String?
  public var kind: Kind
  /// The program and its arguments, with places in braces.
  public var command: [String]?
  /// A command whose output tells the version of the program, for people.
  public var versionCommand: [String]?
  /// Files and folders that the sound depends on and that no word of the command names; from where
  /// this file lies.
  public var dependsOn: [String]?
  /// Environment variables, beside those that every program gets.
  public var environment: SubjectEnvironment?
  /// What files a command reads.
  public var inputFormat: InputFormat?
  /// What to judge of an answer with several channels.
  public var channels: ChannelChoice?
  /// The name of a rendered file, with places in braces, beside this file or absolute.
  public var files: String?
  /// What each setting is unless a plan says otherwise; a plan can only set these.
  public var settings: SubjectSettings?
  /// What the maker says of its delay.
  public var latencyMs: Double?
  public var timeoutSeconds: Double?
  public var memoryMB: Double?
  /// How many samples more or less than the input are cut or filled, as a time.
  public var lengthToleranceMs: Double?
  /// What to install, for whoever lacks it.
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

  /// What decoders would say in words of their own.
  private static func refuseOtherKinds(_ root: Node.Mapping) throws(YAMLProblem) {
    func refuse(_ key: CodingKeys, _ wanted: String) throws(YAMLProblem) {
      throw YAMLProblem(
        text: "'\(key.rawValue)' is \(root[key.rawValue]?.string ?? "no such thing"); \(wanted)",
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

  /// Below 64 MB hardly a program starts.
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

  /// What is wrong with it, if anything.
  private var problem: String? {
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      return "the id '\(id)' must be letters, digits, '-', '_' and '.'"
    }
    let template = CommandTemplate(kind == .folder ? [files ?? ""] : command ?? [])
    for name in template.settingNames where settings?[name] == nil {
      let places = CommandTemplate.Place.allCases.map { "{\($0.rawValue)}" }
      return
        "{\(name)} is neither a place (\(places.joined(separator: ", "))) nor among its settings"
    }
    for name in (settings ?? [:]).keys.sorted() {
      if CommandTemplate.Place(rawValue: name) != nil {
        return "a setting can't be called '\(name)'; that is filled in by the toolkit"
      }
      if !template.places.contains(name) {
        return "nothing has a place for the setting '\(name)'; write {\(name)} where it goes"
      }
    }
    if inputFormat != nil, kind != .command {
      return "'inputFormat' is of commands, which read files; a \(kind.rawValue) has none"
    }
    switch kind {
    case .folder:
      return files == nil
        ? "a folder needs 'files', such as renders/{recording}_{semitones}.wav" : nil
    case .command:
      guard let command, !command.isEmpty else {
        return "a command needs 'command', a list of words"
      }
      for place in [CommandTemplate.Place.input, .output] where !template.has(place) {
        return "the command has no {\(place.rawValue)}; it can't be given sound without"
      }
      return nil
    case .stream:
      guard let command, !command.isEmpty else {
        return "a stream needs 'command', a list of words"
      }
      for place in [CommandTemplate.Place.input, .output] where template.has(place) {
        return "a stream has no {\(place.rawValue)}: sound goes through standard input and output"
      }
      return nil
    }
  }
}
