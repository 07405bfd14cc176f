import Foundation
import TestSupport
import Testing

/// The scripts that spread a run over processes, with the built command: they exit with 0 if no cell is
/// missing.
@Suite struct SharedRunScriptsTests {
  private static let scripts = Repository.file("scripts")

  private static let hasParallel = (try? run(["parallel", "--version"], in: nil).status) == 0

  private static func run(
    _ words: [String], environment: [String: String] = [:], in folder: URL?
  ) throws -> Shell.Answer {
    try Shell.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      environment.map { "\($0.key)=\($0.value)" } + words, in: folder)
  }

  /// Merges what the tasks of an array made; if one was interrupted, a cell is missing.
  @Test(arguments: [(false, 0), (true, 2)] as [(Bool, Int32)])
  func slurmMergesWhatTasksLeft(isInterrupted: Bool, status: Int32) throws {
    let bench = try GateTests.Bench()
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("shared"), withIntermediateDirectories: true)
    for part in isInterrupted ? [1] : [1, 2] {
      let made = try bench.type(
        "run", "Corpus/plans/tiny.yaml", "--store", "shared/part-\(part).sqlite", "--shard",
        "\(part)/2")
      #expect(made.status == 0, "\(made.errors)")
    }
    let merged = try Self.run(
      ["bash", Self.scripts.appendingPathComponent("slurm/merge.sbatch").path],
      environment: [
        "CHOIR_EVAL": Built.choirEval.path, "SHARED": "shared",
        "PLAN": "Corpus/plans/tiny.yaml", "CORPUS": "Corpus", "STORE": "all.sqlite",
      ], in: bench.folder)
    #expect(merged.status == status, "\(merged.output)")
    #expect(merged.output.contains(isInterrupted ? "1 stored" : "2 stored"))
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed: apt-get install parallel"))
  func parallelProcessesDivideTheCells() throws {
    let bench = try GateTests.Bench()
    // The script runs in the project's folder, so the subject is beside the plan.
    try bench.subject("cp \"$1\" \"$2\"", file: "Corpus/plans/mine.yaml")
    let swept = try Self.run(
      [
        Self.scripts.appendingPathComponent("parallel/sweep").path,
        bench.folder.appendingPathComponent("Corpus/plans/tiny.yaml").path, "--processes", "2",
        "--corpus", bench.folder.appendingPathComponent("Corpus").path, "--store",
        bench.folder.appendingPathComponent("all.sqlite").path,
      ], environment: ["CHOIR_EVAL": Built.choirEval.path], in: bench.folder)
    #expect(swept.status == 0, "\(swept.output)")
    #expect(swept.output.contains("2 stored, 0 to compute"))
  }
}
