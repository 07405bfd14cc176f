import EvaluationSupport
import Foundation
import Testing

@testable import Corpus
@testable import Platform

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
    // One draft without a lock, and one of an ended process.
    try Draft(in: corpus.path("audio"), of: corpus.url).abandon()
    let name = ".draft-\(UUID().uuidString)"
    corpus.text("audio/\(name)/added/b.wav", "half a sound")
    // Drafts that others can open are left alone.
    chmod(corpus.path("audio/\(name)").path, 0o700)
    #expect(try drafts(corpus).count == 2)
    #expect(try Corpus(folder: corpus.url).entries.map(\.id) == ["a"])
    #expect(try drafts(corpus) == [])
  }

  /// An import killed before its row is in the manifest is finished, not refused.
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
      ManifestEntry(id: "a", source: "added:a", licence: "CC0-1.0", voice: "alto", kind: "sung"),
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
