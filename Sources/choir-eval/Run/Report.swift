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
      Use it after a run, to read and hear its results. Any browser opens the report from disk, \
      without a server or a network.

        choir-eval report demo
        choir-eval report demo --budget latency=20     # as tune with this budget
        choir-eval report demo --baseline main.sqlite
        choir-eval report demo --format markdown > summary.md
        choir-eval report demo --watch                 # while the run goes on in another terminal
      """)

  /// Formats of a report.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A folder of pages.
    case html
    /// The summary as text.
    case markdown
    /// The first page, printed.
    case pdf
  }

  @Argument(help: "Name of the run; default: the last one.") var name: String?
  @Option(
    help: """
      Folder for html, or file for markdown and pdf. Default: Reports/RUN, standard output or \
      Reports/RUN.pdf.
      """, completion: .file()) var output: String?
  @Option(help: "Format to write.") var format = Format.html
  @Option(
    help: """
      Run to compare with: its name, the store that has it under the same name, or STORE.sqlite#NAME.
      """, completion: .store)
  var baseline: String?
  @Option(
    help: "Comma-separated settings, or subject, to ignore when matching cells with that run.")
  var ignoring: String?
  @Option(
    help: "History to draw figures over commits from, as choir-eval history add writes it.",
    completion: .file(extensions: ["tsv"]))
  var history: String?
  @OptionGroup var goal: TuneGoalOptions
  @Option(
    help: "Maximum size of embedded audio, in MB; sounds that don't fit are left out.",
    in: 0...10_000)
  var audioBudgetMb =
    Double(ReportWriter.defaultAudioBudgetBytes) / 1e6
  @Flag(
    help: """
      While the run goes on, write a page with its preliminary front whenever there are new results; \
      then the whole report. An open page reloads itself.
      """)
  var watch = false
  @Option(help: "With --watch: seconds between two looks at the store.", in: 1...3600)
  var every = 10.0
  @Option(
    help: "With --watch: minutes without a new result after which the run counts as stopped.",
    in: 0.001...1440)
  var patienceMinutes = 10.0
  @OptionGroup var places: StoreOptions
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if watch, format != .html {
      throw ValidationError("--watch refreshes a page; leave --format \(format.rawValue) away.")
    }
    if ignoring != nil, baseline == nil {
      throw ValidationError(
        "--ignoring matches the cells of two runs; add --baseline, or leave it out.")
    }
    if watch, baseline != nil {
      throw ValidationError("--watch has no baseline; compare when the run has finished.")
    }
  }

  func run() throws {
    if format != .html {
      var outputs = OutputFiles(
        reading: [places.store, baseline], force: overwriting.force)
      try outputs.claim(output)
    }
    // A missing browser is reported before the work, not after it.
    let printer = try format == .pdf ? ReportPDF() : nil
    let store = try Self.open(places.storeFile, run: name)
    let goal = try goal.weighted
    let name = try watch ? followed(in: store) : name
    let stored = try store.run(
      named: name, metrics: baseline == nil ? RunReport.metrics : nil)
    Terminal.stage("evaluating \(counted(stored.cells.count, "cell"))")
    let report = try RunReport(
      of: stored, in: store, corpus: places.place.read(),
      command: command(of: stored), options: ShellWords.line(places.words),
      baseline: try compared(with: stored), goal: goal)
    Terminal.stage("drawing figures and rendering the worst cells again")
    var page = try report.page(hasWorkbench: format == .html)
    if let history {
      let file = URL(fileURLWithPath: history)
      page.sections.append(
        try HistorySection(History(reading: file), command: command(of: stored)).section())
    }
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
    case .pdf:
      guard let printer else { return }
      let file = URL(fileURLWithPath: output ?? "Reports/\(stored.plan.name).pdf")
      try writePDF(of: page, to: file, printer)
      print(file.path)
    }
  }

  /// Writes preliminary pages until the run has finished, or has had no new result for some minutes.
  ///
  /// - Returns: name of the run, which stays the same when another run begins meanwhile.
  private func followed(in store: ResultStore) throws -> String {
    var (chosen, shown, news) = (name, 0, Date())
    while true {
      let run = try store.run(named: chosen, metrics: RunReport.metrics)
      chosen = run.plan.name
      if run.hasFinished { return run.plan.name }
      if run.cells.count != shown {
        (shown, news) = (run.cells.count, Date())
        let report = try RunReport(
          of: run, in: store, corpus: places.place.read(),
          command: command(of: run), options: ShellWords.line(places.words),
          goal: goal.weighted)
        let folder = URL(fileURLWithPath: output ?? "Reports/\(run.plan.name)")
        try ReportWriter().write(report.preliminaryPage(), to: folder)
        Terminal.progress(
          "\(shown) of \(counted(run.plannedCells, "cell")): \(folder.path)/index.html\n")
      }
      if Date().timeIntervalSince(news) > 60 * patienceMinutes {
        Terminal.printError(
          "warning: no new result for \(String(format: "%g", patienceMinutes)) minutes, so the run seems to have "
            + "stopped; this is the report of \(shown) of \(counted(run.plannedCells, "cell")). Run the "
            + "plan again to go on where it stopped")
        return run.plan.name
      }
      Thread.sleep(forTimeInterval: every)
    }
  }

  /// Writes the page to a temporary folder, which a browser then prints.
  private func writePDF(of page: ReportPage, to file: URL, _ printer: ReportPDF) throws {
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    let folder = scratch.file("page")
    try ReportWriter().write(page, to: folder)
    try printer.write(folder, to: file)
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
    Set((ignoring ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
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
    if let history { words += ["--history", history] }
    words += goal.words
    return ShellWords.line(words)
  }
}
