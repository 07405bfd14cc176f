import Corpus
import Foundation
import Platform
import Yams

/// A system under test described by a user's YAML file: a command, a program in a pipe, a plugin, or a
/// folder of rendered sounds.
///
/// `docs/reference/subjects.md` shows each kind.
public struct SubjectFile: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case command, stream, lv2, ladspa, library, folder
  }

  public var id: String
  /// A description for readers.
  public var title: String?
  public var kind: Kind
  /// The program and its arguments, with places in braces.
  public var command: [String]?
  /// An LV2 plugin.
  public var uri: String?
  /// The library of a LADSPA plugin, a path or a name in `LADSPA_PATH`, or one with the functions of
  /// choir_subject.h.
  public var library: String?
  /// The name of a LADSPA plugin in its library.
  public var label: String?
  /// Values of a plugin's controls by symbol, which may be places in braces.
  public var ports: SubjectSettings?
  /// Later values of a plugin's controls: by symbol, and by seconds from the start.
  public var automation: [String: [String: Double]]?
  /// The URI of an LV2 plugin's preset.
  public var preset: String?
  /// A command that prints the version of the program, for readers.
  public var versionCommand: [String]?
  /// Files and folders that the sound depends on and that the command does not name, relative to this
  /// file.
  public var dependsOn: [String]?
  /// Environment variables beside those that every program gets.
  public var environment: SubjectEnvironment?
  /// The format of the files that a command reads.
  public var inputFormat: InputFormat?
  /// The content of the channels of output with several.
  public var channels: ChannelChoice?
  /// Number of interleaved channels that a stream writes.
  public var outputChannels: Int?
  /// The path of a rendered file, with places in braces, relative to this file or absolute.
  public var files: String?
  /// The path of a voice's file, with places in braces: of a folder, or of what a command writes into
  /// `{folder}`.
  public var stems: String?
  /// True if the output holds the dry voice beside the voices of the score.
  public var dry: Bool?
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
    case id, title, kind, command, uri, library, label, ports, automation, preset
    case versionCommand, dependsOn, environment, inputFormat, channels, outputChannels, files, stems
    case dry, settings, latencyMs, timeoutSeconds, memoryMB, lengthToleranceMs, install
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
    if let channels = root["channels"], let problem = ChannelChoice.problem(of: channels) {
      throw YAMLProblem(text: "'channels' \(problem)", place: [.name("channels")])
    }
    if let count = root["outputChannels"], !(1...64 ~= count.int ?? 0) {
      try refuse(.outputChannels, "write the number of channels, 1 to 64")
    }
    if let dry = root["dry"], dry.bool == nil { try refuse(.dry, "write true or false") }
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
    // Such a subject would be taken for ours, and its latency predicted by our law.
    guard !Subjects.all.contains(where: { $0.id == id }) else {
      return "the id '\(id)' is that of a subject of this toolkit; choose another"
    }
    if let problem = pluginProblem ?? placeProblem ?? soundProblem ?? stemProblem {
      return problem
    }
    if inputFormat != nil, kind != .command {
      return "a \(kind.rawValue) has no 'inputFormat', which is for commands; remove it"
    }
    switch kind {
    case .folder:
      for place in [CommandTemplate.Place.input, .output, .folder] where template.has(place) {
        return "a folder has no {\(place.rawValue)}, because nothing is called; remove it"
      }
      return files == nil && stems == nil
        ? "a folder needs 'files', such as renders/{recording}_{semitones}.wav, or 'stems'" : nil
    case .command:
      guard let command, !command.isEmpty else {
        return "a command needs 'command'; write a list of words"
      }
      let template = CommandTemplate(command)
      guard template.has(.input) else {
        return "the command has no {input}; add it where the file's path goes"
      }
      guard template.has(.output) || stems != nil && template.has(.folder) else {
        return "the command has no {output}; add it where the file's path goes"
      }
      return nil
    case .stream:
      guard let command, !command.isEmpty else {
        return "a stream needs 'command'; write a list of words"
      }
      for place in [CommandTemplate.Place.input, .output]
      where CommandTemplate(command).has(place) {
        return "a stream has no {\(place.rawValue)}, because sound goes through standard input and "
          + "output; remove it"
      }
      return nil
    case .lv2, .ladspa, .library: return nil
    }
  }

  // MARK: Places

  /// All texts with places: the command and its environment, or the names of a folder's files.
  var template: CommandTemplate {
    CommandTemplate(
      kind == .folder ? [files, stems].compactMap(\.self) : words + (environment?.texts ?? []))
  }

  /// The words of the command, or of a plugin's ports.
  var words: [String] { isPlugin ? portWords : command ?? [] }

  /// The texts that decide what the program is told of a score; a folder's stems tell nothing.
  var askingTemplate: CommandTemplate {
    kind == .folder ? CommandTemplate([files].compactMap(\.self)) : template
  }

  private var placeProblem: String? {
    let template = template
    let stemPlaces = CommandTemplate([stems].compactMap(\.self))
    if let problem = template.problem ?? stemPlaces.problem { return problem }
    for name in (template.settingNames + stemPlaces.settingNames).uniqued()
    where settings?[name] == nil {
      return "{\(name)} is neither a place (\(CommandTemplate.list)) nor a setting; add it to "
        + "'settings' or correct it"
    }
    for name in (settings ?? [:]).keys.sorted() {
      if CommandTemplate.isPlace(name) {
        return "a setting can't be called '\(name)', which choir-eval fills in; rename the setting"
      }
      // The host of a plugin knows the size of its blocks; a program is told it in {block}.
      if name == "blockSize", isPlugin || template.has(.block) { continue }
      if !template.places.contains(name) {
        return "the setting '\(name)' has no place; write {\(name)} in "
          + (kind == .folder ? "'files'" : isPlugin ? "'ports'" : "'command'")
      }
    }
    return nil
  }
}
