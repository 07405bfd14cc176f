import AudioFile
import Corpus
import DSP
import Foundation
import HostProtocol
import Music
import Platform

/// A harmonizer outside this package. It runs in a process of its own, so that a crash, a hang or
/// invalid sound is a result with a name and does not end the run.
///
/// A command with a place for one voice (`{semitones}`, `{degree}`, `{voice}`) is called once for each.
/// A command with a place for all of them (`{intervals}`, `{notes}`, `{midi}`) is called once for the
/// whole choir; its channels or further files may be the voices.
public struct ExternalSubject: Subject {
  public let file: SubjectFile
  public let version: String
  public let warnings: [String]
  /// Folder of its file.
  package let folder: URL
  /// True if a subject of kind `folder` has any file.
  public let hasRenderings: Bool
  /// The command, or the name of a folder's mix.
  let template: CommandTemplate
  let environment: [String: String]
  /// A plugin as it describes itself, or why it can't be used; `nil` for other kinds.
  let plugin: Result<PluginDescription, Refusal>?

  public var id: String { file.id }

  /// Reads a subject's file and computes its version.
  ///
  /// - Parameter url: the file; paths in it are relative to its folder.
  public init(reading url: URL) throws {
    file = try SubjectFile(reading: url)
    folder = url.deletingLastPathComponent()
    template = CommandTemplate(file.kind == .folder ? [file.files].compactMap(\.self) : file.words)
    let own = file.environment?.resolved(in: ChildEnvironment.ofThisProcess) ?? [:]
    environment = (file.isPlugin ? PluginHost.environment : ChildEnvironment.passedOn)
      .merging(own) { $1 }
    plugin = Self.plugin(of: file, in: folder, environment)
    var content = SubjectContent(in: folder, environment: environment)
    if file.kind == .folder {
      for name in [file.files, file.stems].compactMap(\.self) {
        content.add(renderingsNamed: CommandTemplate([name]))
      }
    } else if let plugin {
      content.add(plugin: try? plugin.get())
    } else {
      content.add(command: template.filled((file.settings ?? [:]).mapValues(\.description)))
    }
    for path in file.dependsOn ?? [] where !content.add(path: path) {
      throw Refusal(url.path, "'dependsOn' names '\(path)', which does not exist; correct the path")
    }
    let said = Self.said(by: file, folder, environment)
    let description = try Self.description(of: file, own, said.text)
    let words = String(
      String(said.text.split(whereSeparator: \.isNewline).first ?? "").prefix(60)
    ).printable
    hasRenderings = file.kind == .folder && !content.files.isEmpty
    version = [
      words.trimmingCharacters(in: .whitespaces),
      (file.kind == .folder ? "renderings " : "program ") + content.digest.prefix(12),
      "description \(description.prefix(12))",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    warnings = said.problem.map { [$0] } ?? []
  }

  /// Returns a digest of everything in the file that can change the sound, and of the version text.
  private static func description(
    of file: SubjectFile, _ environment: [String: String], _ said: String
  ) throws -> String {
    var heard = file
    (heard.title, heard.install) = (nil, nil)
    let values = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return Digest.sha256(
      ([try JSONEncoder.canonical.text(heard)] + values + [said])
        .joined(separator: "\n"))
  }

  /// Runs the version command; returns its text from either output, and any problem.
  private static func said(
    by file: SubjectFile, _ folder: URL, _ environment: [String: String]
  ) -> (text: String, problem: String?) {
    guard let command = file.versionCommand, !command.isEmpty else { return ("", nil) }
    let child = ChildProcess(
      arguments: command, timeoutSeconds: 10, folder: folder, environment: environment)
    func problem(_ words: String) -> String {
      "\(file.id): its versionCommand '\(command.joined(separator: " "))' \(words). The version now "
        + "depends only on its files; correct the command"
    }
    do {
      let outcome = try child.run()
      let text = outcome.text.isEmpty ? outcome.errors : outcome.text
      return (text, text.isEmpty ? problem("printed nothing") : nil)
    } catch { return ("", problem("\(error)")) }
  }

  public func content(of settings: SubjectSettings) -> String {
    let texts = settings.filter { $0.value.number == nil }
    guard !texts.isEmpty, file.kind != .folder else { return "" }
    var content = SubjectContent(in: folder, environment: environment)
    let places = Set(texts.keys)
    for word in template.words
    where !places.isDisjoint(with: CommandTemplate([word]).places) {
      content.add(argument: CommandTemplate([word]).filled(texts.mapValues(\.description))[0])
    }
    return content.files.isEmpty ? "" : content.digest
  }

  /// True if its program or plugin exists and can be run.
  public var isInstalled: Bool {
    if let plugin { return (try? plugin.get()) != nil }
    guard file.kind != .folder, let program = file.command?.first else { return true }
    return ProgramFile.path(of: program, in: folder, environment) != nil
  }

  /// Reason why `isInstalled` is false, with a remedy.
  public var absence: String {
    if case .failure(let error)? = plugin {
      return file.install.map { "\(error); the package: \($0)" } ?? "\(error)"
    }
    return file.install.map { "its program is absent; \($0)" }
      ?? "its program was not found; correct 'command'"
  }

  /// Asks the host for a plugin, and checks that it has the ports that the file sets.
  private static func plugin(
    of file: SubjectFile, in folder: URL, _ environment: [String: String]
  ) -> Result<PluginDescription, Refusal>? {
    guard var address = file.plugin else { return nil }
    func path(_ text: String) -> String { folder.resolving(text).path }
    switch address {
    case .ladspa(let library, let label) where library.contains("/"):
      address = .ladspa(library: path(library), label: label)
    case .clap(let library, let id) where library.contains("/"):
      address = .clap(library: path(library), id: id)
    case .library(let library): address = .library(path: path(library))
    default: break
    }
    func failure(_ problem: String) -> Result<PluginDescription, Refusal> {
      .failure(Refusal(file.id, problem))
    }
    do {
      let plugin = try PluginHost.description(of: address, environment: environment)
      if let obstacle = plugin.obstacle { return failure(obstacle) }
      let automated = (file.automation ?? [:]).keys.sorted()
      for name in (file.ports ?? [:]).keys.sorted() + automated
      where !plugin.takesAnyControl && plugin.control(name) == nil {
        let isEventPort = plugin.ports(.events).contains { $0.symbol == name }
        guard !isEventPort || automated.contains(name) else { continue }
        return failure("has no control '\(name)'; it has \(plugin.controlText)")
      }
      if plugin.ports(.audioInput).isEmpty || plugin.ports(.audioOutput).isEmpty {
        return failure("has no audio input or no output, so it can't sing; choose another plugin")
      }
      return .success(plugin)
    } catch { return failure("\(error)") }
  }

  /// The features that scores and metrics can use.
  public var capabilities: [String] {
    guard file.kind != .folder else { return file.stems == nil ? [] : ["stems"] }
    var found: [String] = []
    func add(_ name: String, _ score: Score) { if refusal(of: score) == nil { found.append(name) } }
    add("intervals", ProbeBench.intervals(Self.voiceCount(of: file, .interval)))
    if template.has(.notes) || template.has(.note) || template.count(of: .note) > 0 {
      found.append("notes")
    }
    if template.has(.midi) { found.append("midi") }
    add("key", ProbeBench.tuned)
    add("degrees", ProbeBench.degrees(Self.voiceCount(of: file, .degree)))
    add("map", ProbeBench.map)
    if file.stems != nil || file.channels?.holdsVoices == true || template.hasPlaceOfOneVoice {
      found.append("stems")
    }
    if file.channels == .stereo { found.append("stereo") }
    if file.kind == .stream || file.isPlugin { found.append("realtimeBlocks") }
    return found
  }

  /// Number of voices that a subject with a place for each voice sings; 1 for any other.
  private static func voiceCount(
    of file: SubjectFile, _ place: CommandTemplate.NumberedPlace
  ) -> Int {
    max(1, file.askingTemplate.count(of: place))
  }

  // MARK: Settings

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    (file.settings ?? [:]).keys.sorted() + ["blockSize"]
  }

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let known = file.settings ?? [:]
    for name in settings.keys.sorted() where known[name] == nil && name != "blockSize" {
      let names = known.keys.sorted() + ["blockSize"]
      throw problem("has no setting '\(name)'; it has \(names.joined(separator: ", "))")
    }
    if let size = settings["blockSize"] ?? known["blockSize"] {
      _ = try Self.blockSize(size, of: id)
    }
    if let refusal = refusal(of: score) { throw problem(refusal) }
    _ = try plugin?.get()
    if !isInstalled {
      let way = file.install.map { "; install it: \($0)" } ?? "; install it or correct the path"
      throw problem("there is no program '\(file.command![0])'\(way)")
    }
  }

  /// True if the program is told a key, so that a tuner's score says more of it than an interval.
  package var receivesKey: Bool {
    let template = file.askingTemplate
    return template.has(.tones) || template.has(.scale) || template.count(of: .tone) > 0
  }

  /// Returns why the subject can't sing a score, with a remedy; `nil` if it can.
  private func refusal(of score: Score) -> String? {
    let words = ScoreText(score: score, template: file.askingTemplate)
    if file.kind != .folder, let gap = words.gap { return gap }
    if let empty = words.emptyPlace { return empty }
    if let stems = file.stems {
      let names = ScoreText(score: score, template: CommandTemplate([stems, "{voice}"]))
      if let empty = names.emptyPlace { return empty }
    }
    if file.dry == true, words.areOfOneVoice, score.voiceCount > 1 {
      return "would hold the dry voice once for each voice of the score '\(score.id)', because its "
        + "command is called for one voice; choose a score with one voice, or turn the dry voice off"
    }
    if case .list(let contents) = file.channels {
      let voices = contents.compactMap { if case .voice(let number) = $0 { number } else { nil } }
      let missing = (1...max(1, score.voiceCount)).filter { !voices.contains($0) }
      if let first = missing.first {
        return "'channels' is \(ChannelChoice.list(contents)), which lacks voice \(first) of the "
          + "score '\(score.id)'; add it, or choose a score with fewer voices"
      }
    }
    return nil
  }

  func problem(_ text: String) -> Refusal { Refusal(id, text) }
}
