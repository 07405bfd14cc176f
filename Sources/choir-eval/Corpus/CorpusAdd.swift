import ArgumentParser
import AudioFile
import CommandSupport
import Corpus
import Foundation

extension CorpusCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add your own recording to the corpus.",
      discussion: """
        Use it to test a harmonizer on a voice of your own. Annotations beside FILE are added too: \
        NAME.f0.csv, NAME.notes.csv, NAME.phones.csv, NAME.words.csv, NAME.lyrics.txt, \
        NAME.TextGrid, NAME.lab or NAME.txt. On a terminal the command asks for missing options.

          choir-eval corpus add take1.wav --licence CC0-1.0 --voice alto
        """)

    @Argument(help: "Sound file: \(AudioFormat.allNames).", completion: .sound) var file: String
    @OptionGroup var place: CorpusOption
    @Flag(help: "Print JSON.") var json = false
    @Option(help: "SPDX identifier, such as CC-BY-4.0, or LicenseRef-private.")
    var licence: String?
    @Option(help: "female, male, soprano, alto, tenor, bass, child or unknown.") var voice: String?
    @Option(help: "sung, spoken, stress or probe.") var kind = "sung"
    @Option(help: "Name in plans and reports; the file's name by default.") var id: String?
    @Option(help: "Text file of the lyrics.", completion: .file(extensions: ["txt"])) var lyrics:
      String?
    @Option(help: "What the recording is good for, in one phrase.") var shows: String?
    @Option(help: "Credit to show beside the player in reports.") var attribution: String?

    func run() throws {
      let licence = try licence ?? Self.ask("Licence (SPDX, or LicenseRef-private)", "--licence")
      let terms = try Self.terms(of: licence)
      let voice = try voice ?? Self.ask("Voice (soprano, male, unknown, …)", "--voice")
      var new = NewRecording(URL(fileURLWithPath: file), licence: licence, voice: voice)
      new.id = id
      new.kind = kind
      new.lyrics = lyrics.map { URL(fileURLWithPath: $0) }
      if let shows = shows ?? Self.ask("What the recording is good for (may be empty)") {
        new.shows = shows
      }
      let mustName = terms.redistribution != .none && terms.needsAttribution
      new.attribution =
        try attribution
        ?? (mustName ? Self.ask("Credit to show beside the player", "--attribution") : "")
      let entry = try new.add(to: place.folder)
      Terminal.warn((try? AudioFileInfo(probing: file).remarks) ?? [], about: file)
      if json { return print(try JSON.text(entry)) }
      let kinds = AnnotationKind.allCases.filter { entry.truth[$0] != nil }.map(\.rawValue)
      print("added \(entry.id) as \(entry.file)")
      print("ground truth: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")))
      print("licence: \(entry.licence), \(terms.inWords)")
    }

    private static func terms(of licence: String) throws -> Licence {
      do { return try Licence(licence) } catch { throw ValidationError("--licence: \(error)") }
    }

    /// Asks on the terminal; without one, throws an error that names the flag.
    private static func ask(_ question: String, _ flag: String) throws -> String {
      guard let answer = ask(question) else {
        throw ValidationError("\(flag) is missing; give it: \(question).")
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
