import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Metrics
import Platform
import Subjects
import Sweep

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep figures over commits, and find the commits at which they changed.",
    discussion: """
      Use it after each run in CI, and commit the file. It is a text file with one line for each \
      commit and figure; branches merge if .gitattributes says 'history.tsv merge=union'. \
      docs/reference/gate.md#history explains the columns and the change points.

        choir-eval history add --store Reports/gate.sqlite
        choir-eval history show
      """,
    subcommands: [Add.self, Show.self])

  /// The file of the history.
  struct FileOption: ParsableArguments {
    @Option(help: "Text file of the history.", completion: .file(extensions: ["tsv"]))
    var history = "history.tsv"

    var url: URL { URL(fileURLWithPath: history) }

    /// Reads a history that must have records.
    func read() throws -> History {
      let read = try History(reading: url)
      guard !read.records.isEmpty else {
        throw Refusal(
          "\(history) has no records; add the last run: choir-eval history add --history "
            + "\(history.forShell)"
        )
      }
      return read
    }
  }

  // MARK: - add

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add the figures of a run to the history, under its commit.",
      discussion: """
        Use it after run or gate. The run must have measured the commit: a run notes the commit that is \
        checked out when it begins. Lines of the same commit, plan and machine are replaced.

          choir-eval history add --store Reports/gate.sqlite --history eval/history.tsv

        Exit codes: 0 added; 2 the run or the commit could not be read; 64 misuse.
        """)

    @Argument(help: "Name of the run; default: the last one.") var name: String?
    @OptionGroup var file: FileOption
    @Option(help: "SQLite file of the run.", completion: .store)
    var store = "Reports/results.sqlite"
    @Option(help: "Branch, tag or commit that was measured.") var commit = "HEAD"
    @Option(help: "Comma-separated ids of metrics; default: all with a minimum effect.")
    var metrics: String?
    @Flag(help: "Add although files had uncommitted changes when they were measured.")
    var allowDirty = false

    func run() throws {
      let ids = metrics.map(NamedValues.list)
      // A store makes its own metrics known. A missing one is reported after a misspelt id.
      let results = Result { try ResultStore(reading: URL(fileURLWithPath: store)) }
      if let unknown = ids?.first(where: { Metric.metric(id: $0) == nil }) {
        throw ValidationError("--metrics: \(Metric.unknown(unknown)).")
      }
      let repository = try GitRepository(containing: file.url)
      let commit = try repository.commit(self.commit)
      let stored = try results.get().run(named: name)
      try refuseOthers(stored, than: commit, repository)
      let records = HistoryRecord.all(of: stored, commit: (commit.short, commit.date), metrics: ids)
      guard !records.isEmpty else {
        throw Refusal(
          "the run '\(stored.plan.name)' has no value of a metric with a minimum effect; measure "
            + "others, or name them: --metrics")
      }
      let history = try History.add(records, to: file.url)
      print(
        "\(records.count) figures of \(commit.words) in \(file.history), which has "
          + "\(counted(history.commits, "commit"))")
      if try !repository.mergesByUnion(file.url) {
        Terminal.printError(
          "note: two branches that add commits will conflict; tell git to keep the lines of both: "
            + "echo '\(try repository.path(of: file.url)) merge=union' >> .gitattributes")
      }
    }

    /// Refuses a run that did not measure the commit: its files were of another one or uncommitted, or its
    /// choir-eval was built from another commit of the same repository.
    private func refuseOthers(
      _ run: StoredRun, than commit: Commit, _ repository: GitRepository
    ) throws {
      func refuse(_ measured: Commit?) -> Refusal {
        let (run, asked) = (run.plan.name, commit.short)
        guard let measured = measured?.short else {
          return Refusal(
            "the run '\(run)' was measured outside of this repository, so it does not belong to "
              + "the commit \(asked); measure it again in the repository")
        }
        return Refusal(
          "the run '\(run)' measured the commit \(measured), not \(asked); measure \(asked) again, "
            + "or add it to the commit that it measured: --commit \(measured)")
      }
      guard let source = run.source, let measured = try? repository.commit(source.commit) else {
        throw refuse(nil)
      }
      guard measured == commit else { throw refuse(measured) }
      var changed = Set(source.changedFiles).subtracting([try repository.path(of: file.url)])
      for toolkit in Set(run.cells.compactMap { $0.provenance?.toolkit.commit }) {
        let parts = toolkit.split(separator: "+", maxSplits: 1)
        guard let id = parts.first, let built = try? repository.commit(String(id)) else { continue }
        guard built == commit else { throw refuse(built) }
        if parts.count > 1 { changed.insert("the sources of choir-eval") }
      }
      guard changed.isEmpty || allowDirty else {
        throw Refusal.dirty(files: changed.sorted(), repository: repository.root.path)
      }
    }
  }

  // MARK: - show

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List figures over commits with the commits at which they changed.",
      discussion: """
        Use it to see what moved and when. A change point is a commit from which on a figure has \
        another level: by more than the minimum effect, and more than chance explains.

          choir-eval history show
          choir-eval history show --figure pitch --changed
        """)

    @OptionGroup var file: FileOption
    @Option(help: "Metric, family, or figure as printed; default: all.", completion: .metrics)
    var figure: String?
    @Flag(help: "List only figures that changed.") var changed = false
    @Option(
      help: "False change points to accept per commit, over all figures together.",
      in: 0.000_1...0.2)
    var falseAlarms = ChangePointTest().falseAlarmsPerCommit
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let history = try file.read()
      let text = HistoryText(
        history, series: try history.series(of: figure), falseAlarmsPerCommit: falseAlarms,
        onlyChanged: changed)
      print(json ? try JSON.text(text.json) : text.text())
    }
  }
}
