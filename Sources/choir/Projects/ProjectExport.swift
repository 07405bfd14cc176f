import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Instrument
import Platform

extension ProjectCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Render takes to files: mix, stems, truth log and MIDI.",
      discussion: """
        Each take gets a folder with mix, voice1, voice2 and so on, truth.json and notes.mid. All files \
        appear together when everything is rendered. Without --take, every take is exported.

          choir project export song
          choir project export song --take verse-1 --output ~/mixes --format mp3 --only mix
        """)

    @Argument(help: "Name of the project.") var project: String
    @Option(help: "Take to export; repeatable.") var take: [String] = []
    @Option(
      help: "Folder to write to; default: the project's folder takes.", completion: .directory)
    var output: String?
    @Option(
      help: ArgumentHelp(
        "Format of mix and stems: "
          + ProjectExport.formats.map(\.rawValue).joined(separator: ", ") + "; default: wav."),
      completion: .list(ProjectExport.formats.map(\.rawValue)))
    var format = "wav"
    @Option(help: "Parts to write, comma-separated: mix, stems, truth, midi.") var only: String?
    @OptionGroup var overwriting: Overwriting
    @OptionGroup var place: Library
    @OptionGroup var quietness: Quietness

    func validate() throws { _ = try export() }

    func run() throws {
      let project = try place.library.project(named: project)
      let takes = try take.isEmpty ? project.file.takes : take.map { try project.take($0) }
      guard !takes.isEmpty else {
        throw Refusal(
          "\(project.name) has no takes; add one: "
            + "choir project add NAME --take TAKE --of RECORDING")
      }
      var bar = ProgressBar(total: takes.count)
      let files: [ProjectExport.File]
      do {
        files = try export().write(
          takes, of: project, to: output.map { URL(fileURLWithPath: $0, isDirectory: true) }
        ) { take, _ in bar.advance(to: "\(take.name)") }
      } catch ProjectError.fileExists(let path) {
        throw ValidationError(
          "\(path) exists; export to another folder, or add --force to replace it")
      }
      for file in files {
        Terminal.warnOfClipping(
          file.clippedSamples, in: file.path, "export wav, or lower the take's levels")
      }
      for file in files { print(file.path) }
    }

    private func export() throws -> ProjectExport {
      guard let chosen = ProjectExport.formats.first(where: { $0.rawValue == format.lowercased() })
      else {
        throw ValidationError(
          "--format is '\(format)'; choose "
            + ProjectExport.formats.map(\.rawValue).joined(separator: ", ") + ".")
      }
      var export = ProjectExport(format: chosen)
      if let only {
        export.parts = Set(
          try only.split(separator: ",").map { word in
            guard let part = ProjectExport.Part(rawValue: String(word)) else {
              throw ValidationError("--only has '\(word)'; choose among mix, stems, truth, midi.")
            }
            return part
          })
        guard !export.parts.isEmpty else {
          throw ValidationError("--only is empty; choose among mix, stems, truth, midi.")
        }
      }
      export.replacesFiles = overwriting.force
      return export
    }
  }
}
