import ArgumentParser
import CommandSupport
import Foundation
import Reporting
import Sweep

struct ListenPool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Pool the answers of listeners: scores with intervals, power, metrics that agree.",
    discussion: """
      Use it when the listeners have sent their files. Listeners who did not hear the hidden \
      reference, hurried, or contradict themselves are left out and named. With the store of the \
      run, it shows which metrics order the choirs as the listeners do.

        choir-eval listen pool answers/*.json --key Reports/listen/demo/key.json

      Exit codes: 0 pooled; 2 answers can't be read or are too few; 64 misuse.
      """)

  @Argument(help: "Files of answers, one of each listener.", completion: .file())
  var files: [String]
  @Option(help: "Key of the test, which listen make wrote.", completion: .json) var key: String
  @Option(
    help: "SQLite file of the run, for its metrics; they are left out without it.",
    completion: .store)
  var store = "Reports/results.sqlite"
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let test = try ListeningTest(reading: URL(fileURLWithPath: key))
    let answers = try files.map { file in
      (file: file, try ListeningAnswers(reading: URL(fileURLWithPath: file), of: test))
    }
    var pooled = try PooledAnswers(answers, to: test)
    let run = Result { try ResultStore(reading: URL(fileURLWithPath: store)).run(named: test.run) }
    if case .success(let run) = run {
      pooled.metrics = MetricAgreement.all(of: pooled, to: test, in: run)
    }
    print(json ? try JSON.text(pooled) : ListenText.pooled(pooled, test))
    if case .failure(let error) = run { Terminal.printError("no metrics: \(error)") }
  }
}
