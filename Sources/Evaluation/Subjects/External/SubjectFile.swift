import AudioFile
import Corpus
import Foundation
import HostProtocol
import Platform
import Yams

/// A system under test described by a user's YAML file: a command, a program in a pipe, a plugin, or a
/// folder of rendered sounds.
///
/// `docs/reference/subjects.md` shows each kind.
public struct SubjectFile: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case command, stream, lv2, ladspa, clap, library, folder

    /// True if the plugin host runs it.
    package var isPlugin: Bool { [.lv2, .ladspa, .clap, .library].contains(self) }
  }

  public var id: String
  /// A description for readers.
  public var title: String?
  public var kind: Kind
  /// The program and its arguments, with places in braces.
  public var command: [String]?
  /// An LV2 plugin.
  public var uri: String?
  /// The library of a LADSPA or CLAP plugin, a path or a name in `LADSPA_PATH` or `CLAP_PATH`, or one with
  /// the functions of choir_subject.h.
  public var library: String?
  /// The name of a LADSPA plugin in its library, or the id of a CLAP plugin.
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
  /// Metrics or families that the sounds of a folder can't show, each with the reason.
  public var unmeasured: [String: String]?
  /// The command that installs the program.
  public var install: String?

  /// The format of the WAV files that a command reads. Some programs misread floats as integers.
  public enum InputFormat: String, Codable, CaseIterable, Sendable {
    case float, pcm16, pcm24

    package var encoding: AudioEncoding {
      switch self {
      case .float: .wav(.float32)
      case .pcm16: .wav(.int16)
      case .pcm24: .wav(.int24)
      }
    }
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, kind, command, uri, library, label, ports, automation, preset
    case versionCommand, dependsOn, environment, inputFormat, channels, outputChannels, files, stems
    case dry, settings, latencyMs, timeoutSeconds, memoryMB, lengthToleranceMs, unmeasured, install
  }

  public init(reading url: URL) throws {
    func fail(_ problem: String) -> Refusal {
      Refusal(url.path, problem)
    }
    let names = CodingKeys.allCases.map(\.rawValue)
    let root: Node.Mapping
    do {
      root = try YAMLFile.mapping(
        of: YAMLFile.text(of: url), content: "a subject has \(names.joined(separator: ", "))")
    } catch { throw fail(error.text) }
    do {
      self = try YAMLFile.decoded(root) { root in
        try YAMLProblem.refuse(keysOf: root, except: names, "a subject")
        for key in CodingKeys.allCases {
          guard let value = root[key.rawValue], let problem = Self.problem(of: value, as: key)
          else { continue }
          throw YAMLProblem(text: "'\(key.rawValue)' \(problem)", place: [.name(key.rawValue)])
        }
      } checking: { _ in
      }
    } catch let problem as YAMLProblem { throw fail(problem.text) }
    let given = CodingKeys.allCases.filter { root[$0.rawValue] != nil }
    if let problem = problem(having: given) { throw fail(problem) }
  }

  // MARK: What it is

  var isPlugin: Bool { kind.isPlugin }

  /// The plugin; `nil` for other kinds.
  var plugin: PluginAddress? {
    switch kind {
    case .lv2: uri.map { .lv2(uri: $0) }
    case .ladspa: library.flatMap { library in label.map { .ladspa(library: library, label: $0) } }
    case .clap: library.flatMap { library in label.map { .clap(library: library, id: $0) } }
    case .library: library.map { .library(path: $0) }
    case .command, .stream, .folder: nil
    }
  }

  // MARK: Places

  /// All texts with places: the command and its environment, or the names of a folder's files.
  var template: CommandTemplate {
    CommandTemplate(
      kind == .folder ? [files, stems].compactMap(\.self) : words + (environment?.texts ?? []))
  }

  /// The words of the command, or of a plugin's ports: `semitones={semitones}`.
  var words: [String] {
    guard isPlugin else { return command ?? [] }
    return (ports ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// The texts that decide what the program is told of a score; a folder's stems tell nothing.
  var askingTemplate: CommandTemplate {
    kind == .folder ? CommandTemplate([files].compactMap(\.self)) : template
  }

  /// True if the program is called once for each voice of some scores.
  var isCalledForOneVoice: Bool { askingTemplate.hasPlaceOfOneVoice }
}

/// The environment variables that a subject's file names, with values or to be passed on.
public struct SubjectEnvironment: Codable, Equatable, Sendable {
  /// The values by name; `nil` passes on the value of choir-eval's own environment.
  var values: [String: String?]

  /// Reads a list of names, or a mapping from names to values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let names = try? container.decode([String].self) {
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else {
      values = try container.decode([String: String?].self)
    }
    let texts = values.flatMap { [$0.key, $0.value ?? ""] }
    guard values.keys.allSatisfy({ !$0.isEmpty && !$0.contains("=") }),
      !texts.contains(where: { $0.contains("\0") })
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "has a name that no variable can have; correct it")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// The values, which may have places in braces.
  var texts: [String] { values.sorted { $0.key < $1.key }.compactMap(\.value) }

  /// Returns the variables for the program, given the environment `here`.
  package func resolved(in here: [String: String]) -> [String: String] {
    var found: [String: String] = [:]
    for (name, value) in values { found[name] = value ?? here[name] }
    return found
  }
}
