import ArgumentParser
import Evaluation
import Foundation
import Reporting

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the page of a run: figures, tables and sound, in one folder.",
    discussion: "The folder opens from disk in any browser, without a server or a network.")

  @Argument(help: "Name of the run; the last one if left out.") var name: String?
  @Option(help: "Folder to write; Reports/RUN if left out.") var output: String?
  @OptionGroup var places: Places

  func run() throws {
    guard FileManager.default.fileExists(atPath: places.storeFile.path) else {
      throw EvaluationError.unknownRun(name: name ?? "", known: [])
    }
    let store = try ResultStore(places.storeFile)
    let stored = try store.run(named: name)
    let corpus = try Corpus(folder: places.corpusFolder)
    let folder = URL(fileURLWithPath: output ?? "Reports/\(stored.plan.name)")
    let report = RunReport(
      of: stored, in: store, corpus: corpus, command: "choir-eval report \(stored.plan.name)")
    try ReportWriter().write(report.page(), to: folder)
    print("\(folder.path)/index.html")
  }
}
