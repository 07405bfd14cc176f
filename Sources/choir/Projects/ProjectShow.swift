import ArgumentParser
import CommandSupport
import Foundation
import Instrument
import Platform

extension ProjectCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the projects of a folder.",
      discussion: """
        A project that can't be opened stands in the list too; the reason goes to standard error.

          choir project list
        """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var place: Library

    func run() throws {
      let library = place.library
      let entries = library.entries()
      for entry in entries {
        if case .failure(let error) = entry.project { Terminal.printError("warning: \(error)") }
      }
      if json {
        return print(
          try JSON.text(
            [
              "schema": "choir.projects/1", "folder": library.folder.path,
              "projects": entries.map(Self.object),
            ] as JSONObject))
      }
      guard !entries.isEmpty else {
        return print("no projects in \(place.projects); create one: choir project new NAME")
      }
      var table = TextTable(header: [
        "project", "changed", "size", "recordings", "presets", "sequences", "takes", "",
      ])
      table.rows = entries.map { entry in
        let about = [
          entry.name.printable, String(entry.changed.formatted(.iso8601).prefix(10)),
          Self.size(entry.bytes),
        ]
        switch entry.project {
        case .success(let project):
          let counts = ["recordings", "presets", "sequences", "takes"].map {
            "\(Self.counts(project.file)[$0] ?? 0)"
          }
          return about + counts + [(project.file.title ?? "").printable]
        case .failure: return about + ["–", "–", "–", "–", "can't be opened"]
        }
      }
      print(table.text())
    }

    private static func object(_ entry: ProjectLibrary.Entry) -> JSONObject {
      var (file, problem): (ProjectFile?, String?)
      switch entry.project {
      case .success(let project): file = project.file
      case .failure(let error): problem = "\(error)"
      }
      return [
        "name": entry.name, "title": file?.title, "bytes": entry.bytes,
        "changed": entry.changed.formatted(.iso8601), "counts": file.map(counts),
        "problem": problem,
      ]
    }

    private static func counts(_ file: ProjectFile) -> [String: Int] {
      Dictionary(
        uniqueKeysWithValues: ProjectItem.allCases.map { ($0.folder, file.names(of: $0).count) })
    }

    private static func size(_ bytes: Int) -> String {
      bytes < 1_000_000 ? "\((bytes + 999) / 1000) kB" : "\(format(Double(bytes) / 1e6, 1)) MB"
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what a project holds, and which files are missing.",
      discussion: """
        choir project show song
        choir project show song --json
        """)

    @Argument(help: "Name of the project.") var project: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var place: Library

    func run() throws {
      let project = try place.library.project(named: project)
      let (missing, unused) = (project.missingFiles, project.unusedFiles)
      for entry in missing {
        Terminal.printError(
          "warning: \(project.url(of: entry.file).path) is missing, the file of the \(entry.item) "
            + "'\(entry.name)'; put it back, or remove the \(entry.item)")
      }
      if json {
        return print(
          try JSON.text(
            [
              "schema": "choir.project/1", "name": project.name, "folder": project.folder.path,
              "project": project.file,
              "missing": missing.map { entry -> JSONObject in
                ["item": entry.item, "name": entry.name, "file": entry.file]
              },
              "unused": unused,
            ] as JSONObject))
      }
      print(ProjectText.text(of: project))
    }
  }
}

/// A project in words.
enum ProjectText {
  /// The items in one line, such as "2 recordings and 1 take"; empty for an empty project.
  static func contents(_ file: ProjectFile) -> String {
    ProjectItem.allCases.map { ($0, file.names(of: $0).count) }.filter { $0.1 > 0 }
      .map { "\($0.1) \($0.1 == 1 ? $0.0.rawValue : $0.0.folder)" }.joined(separator: ", ")
  }

  static func text(of project: Project) -> String {
    let file = project.file
    let missing = Set(project.missingFiles.map(\.file))
    func state(_ path: String) -> String { missing.contains(path) ? "\(path) (missing)" : path }
    var parts = ["\(project.name)" + (file.title.map { ": \($0)" } ?? "")]
    func add(_ header: [String], _ rows: [[String]]) {
      if !rows.isEmpty {
        parts.append(TextTable(header: header, rows: rows.map { $0.map(\.printable) }).text())
      }
    }
    add(
      ["recording", "start s", "end s", "speed", "loop s", "file"],
      file.recordings.map { recording in
        let sample = recording.sample
        let loop = sample.loop.map {
          "\($0.startSeconds.typed)-\($0.endSeconds?.typed ?? "end")"
        }
        return [
          "\(recording.name)", sample.startSeconds.typed, sample.endSeconds?.typed ?? "end",
          sample.speed.typed, loop ?? "none", state(recording.file),
        ]
      })
    add(["preset", "file"], file.presets.map { ["\($0.name)", state($0.file)] })
    add(["sequence", "file"], file.sequences.map { ["\($0.name)", state($0.file)] })
    add(
      ["take", "recording", "sings", "preset", "effects"],
      file.takes.map { take in
        [
          "\(take.name)", "\(take.recording)",
          take.sequence?.description ?? take.chord?.description ?? "preset",
          take.preset?.description ?? "none", take.effects?.description ?? "none",
        ]
      })
    if contents(file).isEmpty {
      parts.append("empty; add a recording: choir project add NAME --recording FILE")
    }
    let unused = project.unusedFiles
    if !unused.isEmpty { parts.append("not used: " + unused.joined(separator: ", ")) }
    return parts.joined(separator: "\n\n")
  }
}
