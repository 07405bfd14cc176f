import DSP
import Foundation
import Yams

/// A system under test that a user describes in a YAML file: a command, a program in a pipe, or a
/// folder of sounds that are rendered already.
///
/// `docs/subjects.md` shows each kind.
public struct SubjectFile: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable { case command, stream, folder }

  public var id: String
  /// For people.
  public var title: String?
  public var kind: Kind
  /// The program and its arguments, with places in braces.
  public var command: [String]?
  /// A command whose output tells the version of the program.
  public var versionCommand: [String]?
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
    case id, title, kind, command, versionCommand, files, settings, latencyMs, timeoutSeconds
    case memoryMB, lengthToleranceMs, install
  }

  public init(reading url: URL) throws {
    func fail(_ problem: String) -> EvaluationError {
      .settings(subject: url.path, problem: problem)
    }
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      throw fail("can't be read; is the path right?")
    }
    do {
      guard let root = try Yams.compose(yaml: text)?.mapping else {
        throw fail("is empty; a subject has \(Self.names)")
      }
      for key in root.keys where CodingKeys(rawValue: key.string ?? "") == nil {
        let line = key.mark.map { "line \($0.line): " } ?? ""
        throw fail("\(line)a subject has no '\(key.string ?? "?")'; it has \(Self.names)")
      }
      self = try YAMLDecoder().decode(Self.self, from: Node.mapping(root))
    } catch let error as YamlError {
      throw fail("is not YAML: \(error)")
    } catch let error as DecodingError {
      throw fail(Self.words(for: error))
    }
    if let problem { throw fail(problem) }
  }

  private static let names = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")

  private static func words(for error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): return "lacks '\(key.stringValue)'"
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return "'\(path)' is not of the right kind: \(context.debugDescription)"
    @unknown default: return "\(error)"
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
