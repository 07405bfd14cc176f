import EvaluationSupport
import Foundation
import Testing

@testable import Corpus
@testable import Files

@Suite struct DraftTests {
  /// A draft of two files beside a folder that has an older one of each; ready to be published.
  private func ready(_ tree: ToyTree) throws -> (draft: Draft, moves: [Draft.Move]) {
    tree.data("old/a.txt", Data("old a".utf8))
    tree.data("page/old.html", Data("old page".utf8))
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

  private func texts(_ tree: ToyTree) -> [String: String] {
    tree.files.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test func publishingReplacesFilesAndFoldersAndLeavesNothingElse() throws {
    let tree = ToyTree()
    let (draft, moves) = try ready(tree)
    try draft.publish { moves }
    draft.discard()
    #expect(texts(tree) == Self.after)
  }

  @Test func aFailureUndoesTheMovesBeforeIt() throws {
    let tree = ToyTree()
    let (draft, moves) = try ready(tree)
    tree.data("blocked", Data("a file, so that no folder can be made".utf8))
    #expect(throws: (any Error).self) {
      // Of the draft's own folder, which is there, to where nothing can be.
      try draft.publish { moves + [Draft.Move(from: ".", to: "blocked/b")] }
    }
    draft.discard()
    var expected = Self.before
    expected["blocked"] = "a file, so that no folder can be made"
    #expect(texts(tree) == expected)
  }

  /// What stands on disk when the process ends after so many moves, the journal being there.
  @Test(arguments: 0...2) func aKillAfterTheJournalIsFinishedByTheNext(moves done: Int) throws {
    let tree = ToyTree()
    let (draft, moves) = try ready(tree)
    try draft.publishPart(moves, first: done)
    draft.abandon()
    Draft.recover(in: tree.url, of: tree.url)
    #expect(texts(tree) == Self.after)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tree.url.path).sorted() == [
        "old", "page",
      ])
  }

  @Test func aKillBeforeTheJournalLeavesWhatWasThere() throws {
    let tree = ToyTree()
    let (draft, _) = try ready(tree)
    draft.abandon()
    Draft.recover(in: tree.url, of: tree.url)
    #expect(texts(tree) == Self.before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tree.url.path).sorted() == [
        "old", "page",
      ])
  }

  @Test func aLivingDraftIsLeftAlone() throws {
    let tree = ToyTree()
    let (draft, moves) = try ready(tree)
    Draft.recover(in: tree.url, of: tree.url)
    let other = try Draft("other", in: tree.url, of: tree.url)
    try draft.publish { moves }
    draft.discard()
    other.discard()
    #expect(texts(tree) == Self.after)
  }

  /// An archive from a stranger may hold a draft with a journal: it moves nothing.
  @Test func aJournalThatWasCopiedMovesNothing() throws {
    let (tree, copy) = (ToyTree(), ToyTree())
    let (draft, moves) = try ready(tree)
    try draft.publishPart(moves, first: 0)
    draft.abandon()
    for name in try FileManager.default.contentsOfDirectory(atPath: tree.url.path) {
      try FileManager.default.copyItem(at: tree.path(name), to: copy.path(name))
    }
    Draft.recover(in: copy.url, of: copy.url)
    #expect(texts(copy) == Self.before)
  }
}

@Suite struct KilledImportTests {
  private func recording(_ tree: ToyTree, _ name: String) throws -> NewRecording {
    tree.sound("\(name).wav", seconds: 0.1)
    tree.text("\(name).txt", "la")
    return NewRecording(tree.path("\(name).wav"), licence: "CC0-1.0", voice: "alto")
  }

  private func drafts(_ corpus: ToyTree) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: corpus.path("audio").path)
      .filter { $0.contains("draft") }
  }

  @Test func draftsOfTheDeadAreRemovedByWhoeverOpensTheCorpus() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    try recording(tree, "a").add(to: corpus.url)
    // One as earlier versions left them, and one of a process that is gone.
    try Draft(in: corpus.path("audio"), of: corpus.url).abandon()
    corpus.text("audio/.draft-\(UUID().uuidString)/added/b.wav", "half a sound")
    #expect(try drafts(corpus).count == 2)
    #expect(try Corpus(folder: corpus.url).entries.map(\.id) == ["a"])
    #expect(try drafts(corpus) == [])
  }

  /// Killed when its files are in place and its row is not: the import is finished, not refused.
  @Test(arguments: 0...2) func anImportKilledInTheLastMomentIsFinished(moves done: Int) throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    try recording(tree, "a").add(to: corpus.url)
    let whole = ToyTree()
    try recording(tree, "a").add(to: whole.url)
    try recording(tree, "b").add(to: whole.url)

    let draft = try Draft(in: corpus.path("audio"), of: corpus.url)
    for (file, content) in whole.files where file.contains("added/b.") || file == "manifest.csv" {
      let name = file.replacing("audio/", with: "")
      let target = draft.folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: target)
    }
    let moves = ["added/b.lyrics.txt", "added/b.wav"].map {
      Draft.Move(from: $0, to: "audio/\($0)")
    }
    try draft.publishPart(
      moves + [Draft.Move(from: "manifest.csv", to: "manifest.csv")], first: done)
    draft.abandon()

    let read = try Corpus(folder: corpus.url)
    #expect(read.entries.map(\.id) == ["a", "b"])
    #expect(try read.verify() == [])
    #expect(corpus.files == whole.files)
  }

  @Test func twoImportsAtOnceBothArrive() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    var first = try CorpusDraft(of: corpus.url)
    let second = try recording(tree, "b")
    tree.sound("a.wav", seconds: 0.1)
    try first.add(
      ManifestEntry(
        id: "a", file: "", source: "added:a", sha256: "", licence: "CC0-1.0", attribution: "",
        voice: "alto", kind: "sung", shows: ""),
      sound: tree.path("a.wav"), in: "added", keeping: nil, linking: false,
      annotations: Annotations())
    try second.add(to: corpus.url)
    try first.publish()
    first.discard()
    let read = try Corpus(folder: corpus.url)
    #expect(read.entries.map(\.id) == ["b", "a"])
    #expect(try read.verify() == [])
  }

  @Test func aFailedImportLeavesNoFolderWhereThereWasNone() throws {
    let tree = ToyTree()
    tree.text("no.wav", "no sound")
    let corpus = tree.path("new")
    let new = NewRecording(tree.path("no.wav"), licence: "CC0-1.0", voice: "alto")
    #expect(throws: (any Error).self) { try new.add(to: corpus) }
    _ = try? CorpusDraft(of: corpus).discard()
    #expect(!FileManager.default.fileExists(atPath: corpus.path))
  }
}
