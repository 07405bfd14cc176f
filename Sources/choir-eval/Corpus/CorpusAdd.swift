import ArgumentParser
import AudioFile
import Evaluation
import Foundation

extension CorpusCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a recording of your own.",
      discussion: """
        Annotations that lie beside FILE under its name come along: NAME.f0.csv, NAME.notes.csv,
        NAME.phones.csv, NAME.words.csv, NAME.lyrics.txt, NAME.TextGrid, NAME.lab or NAME.txt.
        What is not said is asked for on a terminal.
        """)

    @Argument(help: "Sound file: \(AudioFormat.allWords).", completion: .sound) var file: String
    @OptionGroup var folder: Folder
    @Option(help: "SPDX identifier, such as CC-BY-4.0; LicenseRef-private keeps it to yourself.")
    var licence: String?
    @Option(help: "female, male, soprano, alto, tenor, bass, child or unknown.") var voice: String?
    @Option(help: "sung, spoken or probe.") var kind = "sung"
    @Option(help: "Name in plans and reports; by default that of the file.") var id: String?
    @Option(help: "Text file of what is sung.", completion: .file(extensions: ["txt"])) var lyrics:
      String?
    @Option(help: "What it is good for, in one phrase.") var shows: String?
    @Option(help: "Whom to name where it is played.") var attribution: String?

    func run() throws {
      let licence = try licence ?? Self.ask("Licence (SPDX, or LicenseRef-private)", "--licence")
      let terms = try Self.terms(of: licence)
      let voice = try voice ?? Self.ask("Voice (soprano, male, unknown, …)", "--voice")
      var new = NewRecording(URL(fileURLWithPath: file), licence: licence, voice: voice)
      new.id = id
      new.kind = kind
      new.lyrics = lyrics.map { URL(fileURLWithPath: $0) }
      if let shows = shows ?? Self.ask("What it is good for (may be empty)") { new.shows = shows }
      let mustName = terms.redistribution != .none && terms.needsAttribution
      new.attribution =
        try attribution
        ?? (mustName ? Self.ask("Whom to name where it is played", "--attribution") : "")
      let entry = try new.add(to: folder.url)
      if folder.json { return print(try JSON.text(entry)) }
      let kinds = AnnotationKind.allCases.filter { entry.truth[$0] != nil }.map(\.rawValue)
      print("added \(entry.id) as \(entry.file)")
      print("truth: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")))
      print("licence: \(entry.licence), \(terms.inWords)")
    }

    private static func terms(of licence: String) throws -> Licence {
      do { return try Licence(licence) } catch { throw ValidationError("--licence: \(error)") }
    }

    /// What a person types; where nobody can be asked, the flag to use.
    private static func ask(_ question: String, _ flag: String) throws -> String {
      guard let answer = ask(question) else {
        throw ValidationError("Missing \(flag): \(question)")
      }
      return answer
    }

    private static func ask(_ question: String) -> String? {
      guard isatty(STDIN_FILENO) == 1 else { return nil }
      Terminal.write("\(question): ")
      let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
      return answer.isEmpty ? nil : answer
    }
  }
}
