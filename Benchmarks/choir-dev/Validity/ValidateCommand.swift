import ArgumentParser
import CommandSupport
import Foundation
import Metrics
import Platform
import Synchronization

struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Try every metric on known systems and known damage, and grade it.",
    discussion: """
      Use it after a change of a metric, to see where it may decide a verdict. For each class of \
      recordings the synthetic singer, the engines and three doses of each fault form a ladder whose \
      order is known. docs/reference/metrics.md#validity explains the grades.

        choir-dev metrics validate
        choir-dev metrics validate --classes vowels-low,speech-low
        choir-dev metrics validate --metrics consonants --write
        choir-dev metrics validate --metric examples/own-metric/word-errors.yaml --recordings 'spoken-*'

      Exit codes: 0 graded; 2 could not measure; 64 misuse.
      """)

  @Option(help: "Classes to try, comma-separated, such as vowels-low; default: all.")
  var classes: String?
  @Option(help: "Metrics or families to try, comma-separated; default: all of renderings.")
  var metrics: String?
  @Option(help: "The .yaml file of your own metric, to try it alone.", completion: .yaml)
  var metric: String?
  @Option(
    help: """
      With --metric: damage recordings of the corpus instead of the singer's voices; ids or patterns, \
      comma-separated.
      """)
  var recordings: String?
  @OptionGroup var place: CorpusOption
  @Option(help: "File of figures, so that a run that was stopped goes on.") var store =
    "Reports/validity.jsonl"
  @Option(help: "Renderings to measure in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Flag(help: "Write what was tried into docs/data/validity.csv and the grades in the sources.")
  var write = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    for name in classes?.split(separator: ",") ?? [] where RecordingClass(String(name)) == nil {
      throw ValidationError(
        "--classes has '\(name)'; choose a material (vowels, words, speech, noisy, room) and a "
          + "register (low, middle, high), such as vowels-low.")
    }
    for name in metrics?.split(separator: ",") ?? []
    where MetricChoice([String(name)]).metrics.isEmpty {
      throw ValidationError("--metrics: \(Metric.unknown(String(name), orFamily: true)).")
    }
    if write, metric != nil {
      throw ValidationError("--write keeps the project's metrics; leave out --metric.")
    }
    if recordings != nil, metric == nil {
      throw ValidationError("--recordings goes with --metric, the file of your own metric.")
    }
  }

  func run() async throws {
    var settings = Validity.Settings()
    settings.classes = classes?.split(separator: ",").map(String.init)
    if let metrics {
      settings.metrics = MetricChoice(metrics.split(separator: ",").map(String.init))
    }
    if let metric {
      let own = try OwnMetric(reading: URL(fileURLWithPath: metric))
      own.register()
      try own.requireInstalled()
      settings.metrics = MetricChoice([own.id])
      if let recordings {
        let doses = try await DosedRecordings(
          own.metric, recordings.split(separator: ",").map(String.init), in: place.read(),
          jobs: jobs)
        print(json ? try JSON.text(doses) : doses.text)
        return
      }
    }
    let bar = Mutex<ProgressBar?>(nil)
    let validity = try await Validity(
      settings, store: ValidityStore(URL(fileURLWithPath: store)), jobs: jobs
    ) { _, count, name in
      bar.withLock { bar in
        if bar == nil { bar = ProgressBar(total: count) }
        bar?.advance(to: name)
      }
    }
    if write { try save(validity) }
    print(json ? try JSON.text(validity) : Self.text(validity))
  }

  private func save(_ validity: Validity) throws {
    let table = "docs/data/validity.csv"
    let data = ValidityData(of: validity, in: try String(contentsOfFile: table, encoding: .utf8))
    try WholeFile.write(data.csv, to: table)
    try WholeFile.write(data.grades, to: "Sources/Evaluation/Metrics/Validity/grades.txt")
  }

  private static func text(_ validity: Validity) -> String {
    var table = TextTable(header: [
      "metric", "class", "grade", "ideal", "doses", "rank", "range/noise",
    ])
    func number(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "–" }
    table.rows = validity.findings.map { found in
      [
        found.metric, found.kind.description, found.grade.words, number(found.atIdeal),
        found.isMonotone.map { $0 ? "yes" : "no" } ?? "–", number(found.rank),
        number(found.rangeOverNoise),
      ]
    }
    return table.text()
  }
}
