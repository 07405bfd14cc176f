import Foundation
import Gate
import TestSupport
import Testing

@testable import History

@Suite struct HistoryFileTests {
  private func record(
    _ commit: String, day: Int, metric: String = "level.change", value: Double = 1,
    machine: String = "one", version: Int = 1
  ) -> HistoryRecord {
    HistoryRecord(
      commit: commit, date: String(format: "2026-01-%02dT00:00:00+00:00", day), plan: "toy",
      key: FigureKey(FigureID(metric, voice: "+4"), score: "chord", configuration: ""),
      value: value, count: 5, version: version, machine: machine)
  }

  @Test func recordsSurviveTheFile() throws {
    let folder = try TemporaryFolder()
    let history = History([
      record("b", day: 2, value: 1.0 / 3), record("a", day: 1), record("c", day: 3),
    ])
    try history.write(to: folder.file("history.tsv"))
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
      var history = try History(reading: file)
      history.add([record(commit, day: day), record(commit, day: day, metric: "pitch.bias")])
      try history.write(to: file)
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

  @Test(arguments: [
    ("nonsense", "history.tsv:1: does not begin with"),
    ("# choir-eval.history/1\n<<<<<<< HEAD\n", ":2: has a conflict of a merge"),
    ("# choir-eval.history/1\na\tb\n", ":2: does not have the columns date, commit"),
  ])
  func damagedFilesAreNamed(text: String, words: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "history.tsv")
    let error = #expect(throws: HistoryError.self) { try History(reading: file) }
    #expect("\(try #require(error))".contains(words))
  }

  @Test func theCommandForAnEmptyFileCanBePasted() {
    #expect(
      HistoryError.empty(path: "my history.tsv").description
        .hasSuffix("choir-eval history add --file 'my history.tsv'"))
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
    #expect(
      throws: HistoryError.noFigure("x", known: ["cpu.realtime_factor", "level.change"])
    ) { try history.series(of: "x") }
  }
}
