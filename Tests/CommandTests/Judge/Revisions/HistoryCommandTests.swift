import Foundation
import TestSupport
import Testing

/// `choir-eval history` on runs of a toy repository.
@Suite struct HistoryCommandTests {
  private let shop: ToyWorkshop

  init() throws {
    shop = try ToyWorkshop()
    try shop.commit("First")
  }

  private func type(_ words: String...) throws -> (status: Int32, text: String) {
    try ToyRepository.run(Built.choirEval.path, words, in: shop.toy.url)
  }

  /// Gains of 1, 1, 1/2, 1/2: one change of 6.02 dB, confirmed by a second commit.
  @Test func aRunIsAddedShownAndDrawn() throws {
    for (number, gain) in [1, 1, 0.5, 0.5].enumerated() {
      try shop.program(gain: gain)
      let commit = try shop.commit("Number \(number)")
      let built = try ToyRepository.run("cc", ["-o", "shifter", "shifter.c"], in: shop.toy.url)
      #expect(built.status == 0, "\(built.text)")
      #expect(try type("run", "plan.yaml", "--store", "Reports/r.sqlite", "--quiet").status == 0)
      let added = try type("history", "add", "--store", "Reports/r.sqlite")
      #expect(added.status == 0, "\(added.text)")
      #expect(added.text.contains("\(commit.prefix(12)) ("))
      #expect(added.text.contains("merge=union"))
    }
    let shown = try type("history", "show")
    #expect(shown.text.hasPrefix("4 commits, 2 figures, 1 change point"), "\(shown.text)")
    let guilty = try shop.toy.git("rev-parse", "--short=12", "HEAD~1")
    #expect(shown.text.contains("\(guilty)  "))
    #expect(shown.text.contains("at most 0.0050 false ones per commit"))
  }

  /// A run of yesterday stays one of yesterday's commit.
  @Test func aRunBelongsToTheCommitThatItMeasured() throws {
    func run() throws {
      #expect(
        try ToyRepository.run("cc", ["-o", "shifter", "shifter.c"], in: shop.toy.url).status == 0)
      #expect(try type("run", "plan.yaml", "--quiet").status == 0)
    }
    let first = try shop.toy.git("rev-parse", "--short=12", "HEAD")
    try run()
    try shop.program(gain: 0.5)
    try shop.commit("Second")
    let other = try type("history", "add")
    #expect(other.status == 2, "\(other.text)")
    #expect(other.text.contains("the run 'toy' measured the commit \(first)"), "\(other.text)")
    #expect(other.text.contains("--commit \(first)"))
    #expect(try type("history", "add", "--commit", first).status == 0)
    // The history itself may have changed; other files may not.
    try run()
    #expect(try type("history", "add").status == 0)
    try shop.program(gain: 0.1)
    try run()
    let dirty = try type("history", "add")
    #expect(dirty.status == 2 && dirty.text.contains("has uncommitted changes"), "\(dirty.text)")
    #expect(try type("history", "add", "--allow-dirty").status == 0)
    #expect(try type("history", "show").text.hasPrefix("2 commits"))
  }

  @Test func whatIsWrongIsNamed() throws {
    func refused(_ words: String, _ line: String...) throws {
      let answer = try ToyRepository.run(Built.choirEval.path, line, in: shop.toy.url)
      #expect(answer.status == 2 && answer.text.contains(words), "\(answer.text)")
    }
    try refused("history.tsv has no records", "history", "show")
    try refused("has no commit 'v9'", "history", "add", "--commit", "v9")
    try refused("Reports/results.sqlite", "history", "add")
    let misuse = try type("history", "add", "--metrics", "pich")
    #expect(misuse.status == 64 && misuse.text.contains("'pich' is no metric"))
  }
}
