import ArgumentParser
import CommandSupport
import Foundation
import Instrument

struct ProjectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "project",
    abstract: "Keep recordings, presets, sequences and takes together, and export them.",
    discussion: """
      A project is a folder with project.yaml and the files that it names. Every change is saved \
      completely or not at all.

        choir project new song
        choir project add song --recording voice.wav --as lead
        choir project add song --sequence verse.mid
        choir project add song --take verse-1 --of lead --sings verse --preset gospel
        choir project show song
        choir project export song --format flac

      Exit codes: 0 done; 2 not done, and nothing was changed; 64 misuse.
      """,
    subcommands: [
      New.self, List.self, Show.self, Add.self, Remove.self, Rename.self, Duplicate.self,
      Export.self, Record.self, Crop.self,
    ])

  /// The folder of projects.
  struct Library: ParsableArguments {
    @Option(help: "Folder of the projects.", completion: .directory) var projects = "Projects"

    var library: ProjectLibrary { ProjectLibrary(URL(fileURLWithPath: projects)) }
  }

  /// One item of a project, for commands that change items too.
  struct ItemOptions: ParsableArguments {
    @Option(help: "Name of a recording.") var recording: String?
    @Option(help: "Name of a preset.") var preset: String?
    @Option(help: "Name of a sequence.") var sequence: String?
    @Option(help: "Name of a take.") var take: String?

    func validate() throws { _ = try chosen() }

    /// Returns the item that was named; `nil` for the project itself.
    func chosen() throws -> (item: ProjectItem, name: ProjectName)? {
      try refuseSeveral(ProjectItem.allCases.map { "--\($0)" }, "are both given; keep one.")
      let names: [(ProjectItem, String?)] = [
        (.recording, recording), (.preset, preset), (.sequence, sequence), (.take, take),
      ]
      for case (let item, let name?) in names {
        return (item, try ProjectCommand.name(name, "--\(item)"))
      }
      return nil
    }
  }

  /// Reads a name from the command line.
  static func name(_ text: String, _ place: String) throws -> ProjectName {
    try named(place) { try ProjectName(text) }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an empty project.",
      discussion: """
        Use it to begin. The name becomes the name of a folder in --projects.

          choir project new "My Song" --title "Second version, slower"
        """)

    @Argument(help: "Name of the project.") var name: String
    @Option(help: "Description for readers.") var title: String?
    @OptionGroup var place: Library

    func validate() throws { _ = try ProjectCommand.name(name, "NAME") }

    func run() throws {
      let project = try place.library.create(name, title: title)
      print("created \(project.name) in \(project.folder.path)")
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Rename a project, or one of its items.",
      discussion: """
        Takes keep the items that they use under the new name.

          choir project rename song "final song"
          choir project rename song verse-2 --take verse-1
        """)

    @Argument(help: "Name of the project.") var project: String
    @Argument(help: "New name of the project, or of the item.") var new: String
    @OptionGroup(title: "Item") var items: ItemOptions
    @OptionGroup var place: Library

    func validate() throws { _ = try ProjectCommand.name(new, "NEW") }

    func run() throws {
      guard let (item, old) = try items.chosen() else {
        let renamed = try place.library.rename(project, to: new)
        return print("renamed \(project) to \(renamed.name)")
      }
      var project = try place.library.project(named: project)
      try project.rename(item, old, to: try ProjectName(new))
      print("\(project.name): renamed the \(item) \(old) to \(new)")
    }
  }

  struct Duplicate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy a project with all its files.",
      discussion: """
        Use it to try something without touching the original.

          choir project duplicate song song-slower
        """)

    @Argument(help: "Name of the project.") var project: String
    @Argument(help: "Name of the copy.") var copy: String
    @OptionGroup var place: Library

    func validate() throws { _ = try ProjectCommand.name(copy, "COPY") }

    func run() throws {
      let made = try place.library.duplicate(project, as: copy)
      print("copied \(project) to \(made.name)")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an item of a project, or a whole project.",
      discussion: """
        An item that a take uses stays until the take is removed. A project that holds anything is \
        removed with --force only: its recordings are deleted with it.

          choir project remove song --take verse-1
          choir project remove song --force
        """)

    @Argument(help: "Name of the project.") var project: String
    @OptionGroup(title: "Item") var items: ItemOptions
    @Flag(help: "Remove a project with everything in it.") var force = false
    @OptionGroup var place: Library

    func run() throws {
      if let (item, name) = try items.chosen() {
        var project = try place.library.project(named: project)
        try project.remove(item, name)
        return print("\(project.name): removed the \(item) \(name)")
      }
      if !force {
        let held = ProjectText.contents(try place.library.project(named: project).file)
        guard held.isEmpty else {
          throw ValidationError(
            "\(project) holds \(held), which would be deleted; add --force, or name an item by "
              + "--recording, --preset, --sequence or --take")
        }
      }
      try place.library.remove(project)
      print("removed \(project)")
    }
  }
}
