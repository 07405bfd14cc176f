import ArgumentParser
import CommandSupport
import Foundation
import Subjects

struct SubjectsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all subjects, or check those given.",
    discussion: """
      Each program or plugin is run once, on a tone at 0 semitones: it is ready if the same tone \
      comes out.

        choir-eval subjects list
        choir-eval subjects mine.yaml
        choir-eval subjects rubberband

      Exit codes: 0 good; 2 a file given can't be used; 64 misuse.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files to check, or ids in the corpus; all of the corpus by default.", valueName: "subject"),
    completion: .yaml)
  var files: [String] = []
  @OptionGroup var place: CorpusOption
  @Flag(help: "Print JSON.") var json = false

  private struct Row: Encodable {
    var id: String
    var title: String?
    var kind: String
    var version: String?
    var capabilities: [String]
    var settings: [String]
    var isInstalled: Bool
    /// Reason why the subject can't be used, with a remedy.
    var problem: String?
    /// Outcome of the test tone.
    var trial: SubjectTrial?
  }

  func run() throws {
    let rows = try files.isEmpty ? all() : files.map(row)
    print(json ? try JSON.text(rows) : table(rows))
    if !files.isEmpty, rows.contains(where: { $0.problem != nil }) { throw ExitCode(2) }
  }

  /// The subject of a name, as every command reads it.
  private func row(_ name: String) throws -> Row {
    if let own = own.first(where: { $0.id == name }) { return own }
    if name.hasSuffix(".yaml") || name.contains("/") {
      return described(name, at: URL(fileURLWithPath: name))
    }
    guard Subjects.described(in: place.subjects).contains(name) else {
      let subject = try Subjects.subject(id: name, in: place.subjects)
      return Row(
        id: name, kind: "built in", version: subject.version,
        capabilities: Self.capabilities(of: subject.id), settings: [], isInstalled: true)
    }
    return described(name, at: place.subjects.appendingPathComponent("\(name).yaml"))
  }

  private func table(_ rows: [Row]) -> String {
    TextTable(header: ["subject", "kind", "can", "state"], of: rows) { row in
      let trial = row.trial.map { ": \($0.words)" + ($0.note.map { "; \($0)" } ?? "") } ?? ""
      let can = row.capabilities.joined(separator: " ")
      return [row.id, row.kind, can, row.problem ?? "ready" + trial]
    }.text()
  }

  private func all() throws -> [Row] {
    let folder = place.subjects
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw ValidationError(
        "There is no folder '\(folder.relativePath)'; name its corpus with --corpus.")
    }
    return own
      + Subjects.described(in: folder).map {
        described($0, at: folder.appendingPathComponent("\($0).yaml"))
      }
  }

  private var own: [Row] {
    Subjects.all.map { subject in
      Row(
        id: subject.id, kind: ChoirEngine.names.contains(subject.id) ? "engine" : "built in",
        version: subject.version, capabilities: Self.capabilities(of: subject.id), settings: [],
        isInstalled: true)
    }
  }

  private static func capabilities(of id: String) -> [String] {
    let choir = ["intervals", "notes", "midi", "key", "stems"]
    return switch id {
    case "autotuner": ["notes", "midi", "key", "realtimeBlocks", "truthLog"]
    case OfflineEngine.name: choir
    default: choir + ["realtimeBlocks", "truthLog"]
    }
  }

  /// Runs the subject on a tone; returns the outcome and why the subject can't be used, if so.
  private static func tried(_ subject: ExternalSubject) -> (SubjectTrial?, String?) {
    guard subject.file.kind != .folder else {
      return (nil, subject.hasRenderings ? nil : "no file matches its 'files'; correct the pattern")
    }
    do {
      let trial = try SubjectTrial(of: subject)
      return (trial, trial.problem)
    } catch { return (nil, "\(error)") }
  }

  /// Describes the subject of one file.
  ///
  /// - Parameter name: names the subject if its file can't be read.
  private func described(_ name: String, at url: URL) -> Row {
    do {
      let subject = try ExternalSubject(reading: url)
      for warning in subject.warnings { Terminal.printError("warning: \(warning)") }
      let (trial, problem) =
        subject.isInstalled ? Self.tried(subject) : (nil, "absent: \(subject.absence)")
      return Row(
        id: subject.id, title: subject.file.title, kind: subject.file.kind.rawValue,
        version: subject.version, capabilities: subject.capabilities,
        settings: (subject.file.settings ?? [:]).keys.sorted(), isInstalled: subject.isInstalled,
        problem: problem, trial: trial)
    } catch {
      return Row(
        id: name, kind: "?", capabilities: [], settings: [], isInstalled: false, problem: "\(error)"
      )
    }
  }
}
