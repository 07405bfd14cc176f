import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Platform
import Reporting
import Sweep
import Tuning

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the report of a run: verdict, figures, tables and audio, in one folder.",
    discussion: """
      Use it after a run, or while it goes on, to read and hear its results. Any browser opens the \
      report from disk, without a server or a network.

        choir-eval report demo
        choir-eval report demo --budget latency=20     # as tune with this budget
        choir-eval report demo --baseline main.sqlite
        choir-eval report demo --format markdown > summary.md
      """)

  /// Formats of a report.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A folder of pages.
    case html
    /// The summary as text.
    case markdown
  }

  @Argument(help: "Name of the run; default: the last one.") var name: String?
  @Option(
    help: "Folder for html, or file for markdown. Default: Reports/RUN, or standard output.",
    completion: .file())
  var output: String?
  @Option(help: "Format to write.") var format = Format.html
  @Option(
    help: """
      Run to compare with: its name, the store that has it under the same name, or STORE.sqlite#NAME.
      """, completion: .store)
  var baseline: String?
  @Option(
    help: "Comma-separated settings, or subject, to ignore when matching cells with that run.")
  var ignoring: String?
  @OptionGroup var goal: TuneGoalOptions
  @Option(
    help: "Maximum size of the report's audio, in MB; sounds that don't fit are left out.",
    in: 0...10_000)
  var audioBudgetMb = Double(ReportWriter.defaultAudioBudgetBytes) / 1e6
  @OptionGroup var places: StoreOptions
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if ignoring != nil, baseline == nil {
      throw ValidationError(
        "--ignoring matches the cells of two runs; add --baseline, or leave it out.")
    }
  }

  func run() throws {
    if format != .html {
      var outputs = OutputFiles(reading: [places.store, baseline], force: overwriting.force)
      try outputs.claim(output)
    }
    let store = try Self.open(places.storeFile, run: name)
    let goal = try goal.goal
    let stored = try store.run(named: name, metrics: baseline == nil ? RunReport.metrics : nil)
    Terminal.stage("evaluating \(counted(stored.cells.count, "cell"))")
    let report = try RunReport(
      of: stored, in: store, corpus: places.place.read(),
      command: command(of: stored), options: ShellWords.line(places.words),
      baseline: try compared(with: stored), goal: goal)
    Terminal.stage("drawing figures and rendering the worst cells again")
    let page = try report.page(hasWorkbench: format == .html)
    switch format {
    case .html:
      let folder = URL(fileURLWithPath: output ?? "Reports/\(stored.plan.name)")
      Terminal.stage("writing")
      try ReportWriter(audioBudgetBytes: Int(audioBudgetMb * 1e6)).write(page, to: folder)
      let words = VerdictText.text(page.summary, ANSIStyle(file: STDERR_FILENO))
      Terminal.progress("\n\(words)\n\n")
      print("\(folder.path)/index.html")
    case .markdown:
      let text = try ReportMarkdown().render(page)
      guard let output else { return print(text, terminator: "") }
      try WholeFile.write(text, to: output)
      print(output)
    }
  }

  private func compared(with stored: StoredRun) throws -> EarlierRun? {
    guard let baseline else { return nil }
    guard
      case .run(let file, let named, let choice) = try ComparedSide(
        baseline, store: places.storeFile), choice.isEmpty
    else {
      throw ValidationError(
        "--baseline is '\(baseline)'; name a run, STORE.sqlite or STORE.sqlite#NAME.")
    }
    let name = named ?? stored.plan.name
    let store = try Self.open(file, run: name)
    let other = try store.run(named: name)
    let words = "‘\(name)’ of \(other.startedAt) UTC in \(file.lastPathComponent)"
    return try EarlierRun(words, other, of: stored, in: store, ignoring: ignored)
  }

  private var ignored: Set<String> {
    Set(NamedValues.list(ignoring ?? ""))
  }

  private static func open(_ file: URL, run name: String?) throws -> ResultStore {
    let store = try ResultStore(reading: file)
    Terminal.stage("reading \(name ?? "the last run")")
    return store
  }

  private func command(of run: StoredRun) -> String {
    var words = ["choir-eval", "report", run.plan.name] + places.words
    if let baseline { words += ["--baseline", baseline] }
    if let ignoring { words += ["--ignoring", ignoring] }
    words += goal.words
    return ShellWords.line(words)
  }
}
