import ArgumentParser
import Evaluation
import Foundation

struct SubjectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subjects",
    abstract: "List what can be tested here, and what it can do.",
    discussion: """
      Two subjects are part of this package. Any other is described by a file: Corpus/subjects has
      examples, docs/subjects.md says how to write one for a program, a pipe, or a folder of sounds
      that are rendered already.
      """)

  @Option(help: "Folder of files that describe subjects.") var folder = "Corpus/subjects"
  @Flag(help: "Print JSON.") var json = false

  private struct Row: Encodable {
    var id: String
    var title: String?
    var kind: String
    var version: String?
    var capabilities: [String]
    var settings: [String]
    var isInstalled: Bool
    /// What keeps it from being used, with the way out.
    var problem: String?
  }

  func run() throws {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw ValidationError("There is no folder '\(folder)'; name one with --folder.")
    }
    let rows = own + Subjects.described(in: URL(fileURLWithPath: folder)).map(described)
    if json { return print(try JSON.text(rows)) }
    var table = TextTable(header: ["subject", "kind", "can", "state"])
    for row in rows {
      table.rows.append([
        row.id, row.kind, row.capabilities.joined(separator: " "),
        row.problem ?? "ready",
      ])
    }
    print(table.text())
    if rows.contains(where: { !$0.isInstalled && $0.problem == nil }) { throw ExitCode(2) }
  }

  private var own: [Row] {
    let canSing = [
      "reference": ["intervals", "notes", "midi", "key", "stems", "realtimeBlocks", "truthLog"],
      "autotuner": ["notes", "midi", "key", "realtimeBlocks", "truthLog"],
    ]
    return Subjects.all.map { subject in
      Row(
        id: subject.id, kind: "of this package", version: subject.version,
        capabilities: canSing[subject.id] ?? [], settings: [], isInstalled: true)
    }
  }

  private func described(_ id: String) -> Row {
    do {
      let url = URL(fileURLWithPath: folder).appendingPathComponent("\(id).yaml")
      let subject = try ExternalSubject(reading: url)
      let install = subject.file.install.map { "absent; \($0)" } ?? "absent: no such program"
      return Row(
        id: id, title: subject.file.title, kind: subject.file.kind.rawValue,
        version: subject.version, capabilities: subject.capabilities,
        settings: (subject.file.settings ?? [:]).keys.sorted(), isInstalled: subject.isInstalled,
        problem: subject.isInstalled ? nil : install)
    } catch {
      return Row(
        id: id, kind: "?", capabilities: [], settings: [], isInstalled: false, problem: "\(error)")
    }
  }
}
