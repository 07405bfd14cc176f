import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Gate

@Suite struct HistoryFileTests {
  private let folder = try! TemporaryFolder()

  private func record(
    _ commit: String, day: Int, metric: String = "level.change", value: Double = 1,
    machine: String = "one", version: Int = 1
  ) -> HistoryRecord {
    HistoryRecord(
      commit: commit, date: String(format: "2026-01-%02dT00:00:00Z", day), plan: "toy",
      key: FigureKey(FigureID(metric, voice: "+4"), score: "chord", configuration: ""),
      value: value, count: 5, version: version, machine: machine)
  }

  @Test func recordsSurviveTheFile() throws {
    let history = History([
      record("b", day: 2, value: 1.0 / 3), record("a", day: 1), record("c", day: 3),
    ])
    #expect(try History.add(history.records, to: folder.file("history.tsv")) == history)
    #expect(try History(reading: folder.file("history.tsv")) == history)
    #expect(history.records.map(\.commit) == ["a", "b", "c"] && history.commits == 3)
    #expect(try History(reading: folder.file("none.tsv")).records.isEmpty)
  }

  @Test func aCommitIsAddedOnce() {
    var history = History([record("a", day: 1, value: 1)])
    history.add([record("a", day: 1, value: 2)])
    #expect(history.records.map(\.value) == [2])
  }

  /// Two branches add a commit each at the end of the file.
  @Test func branchesMergeWithoutAConflict() throws {
    let toy = try ToyRepository()
    let file = toy.url.appendingPathComponent("history.tsv")
    func add(_ commit: String, _ day: Int) throws {
      _ = try History.add(
        [record(commit, day: day), record(commit, day: day, metric: "pitch.bias")], to: file)
      try toy.commit(commit)
    }
    try toy.write("history.tsv merge=union\n", ".gitattributes")
    try add("a", 1)
    try toy.git("switch", "--quiet", "--create", "branch")
    try add("c", 3)
    try toy.git("switch", "--quiet", "main")
    try add("b", 2)
    try toy.git("merge", "--quiet", "--no-edit", "branch")
    let merged = try History(reading: file)
    #expect(merged.records.map(\.commit) == ["a", "a", "b", "b", "c", "c"])
  }

  /// Half past eleven in the evening of UTC is the morning of the next day in Asia.
  @Test func commitsStandInTheOrderOfTime() throws {
    let dates = [
      "2026-01-02T04:30:00+05:00", "2026-01-01T23:45:00+00:00", "2026-01-01T19:00:00-05:00",
    ]
    var lines = ["# choir-eval.history/1", History.columns.joined(separator: "\t")]
    for (commit, date) in zip(["a", "b", "c"], dates) {
      lines.append("\(date)\t\(commit)\ttoy\tlevel.change\t–\tchord\t–\t1\t5\t1\tone")
    }
    let file = try folder.write(
      (lines[..<2] + lines[2...].reversed()).joined(separator: "\n"), to: "history.tsv")
    let history = try History(reading: file)
    #expect(history.records.map(\.commit) == ["a", "b", "c"])
    #expect(
      history.records.map(\.date)
        == ["2026-01-01T23:30:00Z", "2026-01-01T23:45:00Z", "2026-01-02T00:00:00Z"])
  }

  @Test func everyMachineKeepsItsLine() throws {
    let file = folder.file("history.tsv")
    for metric in ["cpu.realtime_factor", "level.change"] {
      for (machine, value) in [("one", 1.0), ("two", 3), ("one", 2)] {
        _ = try History.add(
          [record("a", day: 1, metric: metric, value: value, machine: machine)], to: file)
      }
    }
    let history = try History(reading: file)
    #expect(history.records.map(\.machine) == ["one", "two", "one", "two"])
    #expect(history.records.map(\.value) == [2, 3, 2, 3])
    // A cost belongs to its machine; of other figures a commit has one value.
    #expect(try history.series(of: "cpu.realtime_factor").map(\.values) == [[2], [3]])
    #expect(try history.series(of: "level.change").map(\.values) == [[2.5]])
  }

  @Test func additionsAtOnceLoseNothing() throws {
    let file = folder.file("history.tsv")
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      #expect(throws: Never.self) {
        try History.add([record("\(number)", day: number + 1)], to: file)
      }
    }
    #expect(try History(reading: file).commits == 12)
    #expect(folder.contents.count == 1)
  }

  @Test(arguments: [
    ("nonsense", "history.tsv:1: does not begin with"),
    ("# choir-eval.history/1\n<<<<<<< HEAD\n", ":2: has a conflict of a merge"),
    ("# choir-eval.history/1\na\tb\n", ":2: does not have the columns date, commit"),
    (
      "# choir-eval.history/1\nyesterday\ta\ttoy\tx\t–\t–\t–\t1\t5\t1\tone\n",
      ":2: does not have the columns date, commit"
    ),
  ])
  func damagedFilesAreNamed(text: String, words: String) throws {
    let file = try folder.write(text, to: "history.tsv")
    expectRefusal(words) { try History(reading: file) }
  }

  @Test func costsOfOtherMachinesAndVersionsAreOtherFigures() throws {
    let history = History([
      record("a", day: 1, metric: "cpu.realtime_factor", machine: "one"),
      record("b", day: 2, metric: "cpu.realtime_factor", machine: "two"),
      record("a", day: 1, machine: "one"), record("b", day: 2, machine: "two"),
      record("c", day: 3, version: 2),
    ])
    #expect(try history.series(of: "cpu.realtime_factor").map(\.records.count) == [1, 1])
    #expect(try history.series(of: "level.change").map(\.records.count) == [2, 1])
    #expect(try history.series(of: "level").count == 2)
    #expect(try history.series(of: "level.change · +4 · chord").count == 2)
    expectRefusal("has no figure 'x'; it has cpu.realtime_factor, level.change") {
      try history.series(of: "x")
    }
  }
}
