import Foundation
import Testing

/// `report --watch`, from the terminal.
@Suite struct ReportWatchTests {
  @Test func itRefreshesOnlyAPage() throws {
    let shell = try Shell()
    let text = try shell.type("choir-eval report --watch --format markdown")
    #expect(text.status == 64)
    #expect(text.words.contains("--watch refreshes a page; leave --format markdown away"))
    let compared = try shell.type("choir-eval report --watch --baseline before")
    #expect(compared.status == 64)
    #expect(compared.words.contains("--watch has no baseline"))
  }

  /// One shard of two gives a preliminary page; with the other, the whole report takes its place and
  /// the command ends.
  @Test func itFollowsARunToItsEnd() throws {
    let bench = try GateTests.Bench()
    func start(_ words: [String]) throws -> Process {
      let process = Process()
      process.executableURL = Built.choirEval
      process.arguments = words + ["--store", "results.sqlite"]
      process.currentDirectoryURL = bench.folder
      (process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice
      )
      try process.run()
      return process
    }
    func isPreliminary() -> Bool? {
      (try? bench.read("page/index.html")).map { $0.contains("Preliminary: 1 of 2 cells") }
    }
    try start(["run", "Corpus/plans/tiny.yaml", "--shard", "1/2"]).waitUntilExit()
    let watch = try start(["report", "--watch", "--every", "1", "--output", "page"])
    for _ in 0..<6000 where isPreliminary() == nil && watch.isRunning { usleep(10_000) }
    #expect(isPreliminary() == true && watch.isRunning)
    try start(["run", "Corpus/plans/tiny.yaml"]).waitUntilExit()
    watch.waitUntilExit()
    #expect(watch.terminationStatus == 0 && isPreliminary() == false)
    #expect(try bench.read("page/workbench.html").contains("data/cells.js"))
  }

  /// A run that nobody goes on with is reported as far as it came.
  @Test func itDoesNotWaitForAStoppedRun() throws {
    let bench = try GateTests.Bench()
    #expect(
      try bench.type(
        "run", "Corpus/plans/tiny.yaml", "--shard", "1/2", "--store", "results.sqlite"
      ).status == 0)
    let watch = try bench.type(
      "report", "--watch", "--every", "1", "--patience-minutes", "0.02", "--output", "page",
      "--store", "results.sqlite")
    #expect(watch.status == 0)
    #expect(watch.errors.contains("the report of 1 of 2 cells"))
    #expect(try bench.read("page/workbench.html").contains("data/cells.js"))
  }
}
