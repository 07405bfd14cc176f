import ArgumentParser
import CommandSupport
import Corpus
import Foundation

struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List, add, import and verify the recordings to test with.",
    discussion: """
      Use it to see which voices a run can use, or to bring your own.

        choir-eval corpus list --tier smoke
        choir-eval corpus add take1.wav --licence CC0-1.0 --voice alto
      """,
    subcommands: [List.self, Add.self, Import.self, Verify.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List every recording with its ground truth.",
      discussion: """
        Use it to choose recordings for a plan.

          choir-eval corpus list --tier smoke
        """)

    @OptionGroup var place: CorpusOption
    @Flag(help: "Print JSON.") var json = false
    @Option(help: "List only the recordings of a tier: smoke, standard or release.") var tier: Tier?

    func run() throws {
      let corpus = try place.read()
      let entries = try tier.map { try corpus.choice(of: $0) } ?? corpus.entries
      if json { return print(try JSON.text(entries)) }
      var table = TextTable(header: ["id", "voice", "kind", "truth", "licence", "shows"])
      table.rows = entries.map {
        [$0.id, $0.voice, $0.kind, Self.truth(of: $0), $0.licence, $0.shows]
      }
      print(table.text())
    }

    private static func truth(of entry: ManifestEntry) -> String {
      if let name = entry.syntheticName { return name == "impulses" ? "none" : "exact" }
      if entry.copiedID != nil { return "exact" }
      let kinds = AnnotationKind.allCases.filter { entry.truth[$0] != nil }.map(\.rawValue)
      return kinds.isEmpty ? "none" : kinds.joined(separator: " ")
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Verify the corpus: name every missing, changed or extra file.",
      discussion: """
        Use it after a download or an edit of the manifest.

          choir-eval corpus verify

        Exit codes: 0 all files are as described; 1 a file is missing, changed or extra; 2 the \
        corpus can't be read; 64 misuse.
        """)

    @OptionGroup var place: CorpusOption
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let corpus = try place.read()
      let findings = try corpus.verify()
      if json {
        print(try JSON.text(findings.map(\.description)))
      } else {
        for finding in findings { print(finding) }
        if findings.isEmpty { print("all \(corpus.entries.count) recordings are as described") }
      }
      if !findings.isEmpty { throw ExitCode(1) }
    }
  }
}
