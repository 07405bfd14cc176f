import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct DraftTests {
  private let tree = try! TemporaryFolder()

  /// A draft of a file and a folder that replace older ones, ready to be published.
  private func ready() throws -> (draft: Draft, moves: [Draft.Move]) {
    try tree.write("old a", to: "old/a.txt")
    try tree.write("old page", to: "page/old.html")
    let draft = try Draft("pair", in: tree.url, of: tree.url)
    func prepare(_ path: String, _ text: String) throws {
      let file = draft.folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try prepare("a", "new a")
    try prepare("page/new.html", "new page")
    return (draft, [Draft.Move(from: "a", to: "old/a.txt"), Draft.Move(from: "page", to: "page")])
  }

  private static let before = ["old/a.txt": "old a", "page/old.html": "old page"]
  private static let after = ["old/a.txt": "new a", "page/new.html": "new page"]

  private func texts(_ tree: TemporaryFolder) -> [String: String] {
    let paths = (try? tree.files(below: "")) ?? []
    return paths.reduce(into: [:]) {
      $0[$1] = try? String(contentsOf: tree.file($1), encoding: .utf8)
    }
  }

  /// Recovers what no process holds any more. A child that another test has just forked holds the lock of a
  /// draft until it runs its program.
  private func recover() throws {
    for _ in 0..<500 {
      Draft.recover(in: tree.url, of: tree.url)
      if !tree.contents.contains(where: { $0.contains(".draft-") }) { return }
      usleep(10_000)
    }
  }

  @Test func publishingReplacesFilesAndFoldersAndLeavesNothingElse() throws {
    let (draft, moves) = try ready()
    try draft.publish { moves }
    draft.discard()
    #expect(texts(tree) == Self.after)
  }

  @Test func aFailureUndoesTheMovesBeforeIt() throws {
    let (draft, moves) = try ready()
    try tree.write("a file, so that no folder can be made", to: "blocked")
    #expect(throws: (any Error).self) {
      // A move of the draft's own folder, which exists, to a place below a file.
      try draft.publish { moves + [Draft.Move(from: ".", to: "blocked/b")] }
    }
    draft.discard()
    var expected = Self.before
    expected["blocked"] = "a file, so that no folder can be made"
    #expect(texts(tree) == expected)
  }

  /// The process ends after the journal and this many moves.
  @Test(arguments: 0...2) func aKillAfterTheJournalIsFinishedByTheNext(moves done: Int) throws {
    let (draft, moves) = try ready()
    try draft.publishPart(moves, first: done)
    draft.abandon()
    try recover()
    #expect(texts(tree) == Self.after)
    #expect(tree.contents == ["old", "page"])
  }

  @Test func aKillBeforeTheJournalLeavesWhatWasThere() throws {
    let (draft, _) = try ready()
    draft.abandon()
    try recover()
    #expect(texts(tree) == Self.before)
    #expect(tree.contents == ["old", "page"])
  }

  @Test func aLivingDraftIsLeftAlone() throws {
    let (draft, moves) = try ready()
    Draft.recover(in: tree.url, of: tree.url)
    let other = try Draft("other", in: tree.url, of: tree.url)
    try draft.publish { moves }
    draft.discard()
    other.discard()
    #expect(texts(tree) == Self.after)
  }

  /// An archive from a stranger may contain a draft with a journal; it moves nothing.
  @Test func aJournalThatWasCopiedMovesNothing() throws {
    let copy = try TemporaryFolder()
    let (draft, moves) = try ready()
    try draft.publishPart(moves, first: 0)
    draft.abandon()
    for name in tree.contents {
      try FileManager.default.copyItem(at: tree.file(name), to: copy.file(name))
    }
    Draft.recover(in: copy.url, of: copy.url)
    #expect(texts(copy) == Self.before)
  }
}
