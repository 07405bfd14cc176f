import Corpus
import EvaluationSupport
import Foundation
import Subjects
import TestSupport
import Testing

@testable import Sweep

/// A run tells whether chance moves its subject.
@Suite struct RandomSubjectTests {
  private let scratch = try! TemporaryFolder()

  /// Runs the program of a script, which gets input and output, over two recordings.
  private func cells(script: String, jobs: Int = 1) async throws -> [CellResult] {
    let corpus = try scratch.corpus()
    let file = try scratch.write("#!/bin/sh\n\(script)\n", to: "Corpus/subjects/program.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    try scratch.write(
      "id: program\nkind: command\ncommand: [./program.sh, \"{input}\", \"{output}\", \"{semitones}\"]\n"
        + "inputFormat: pcm16\n",
      to: "Corpus/subjects/program.yaml")
    let store = try ResultStore(scratch.file("results.sqlite"))
    let plan = try Plan.decoded(
      """
      name: chance
      subject: program
      recordings: [buzz]
      scores:
        - {id: up, intervalsSemitones: [4]}
        - {id: down, intervalsSemitones: [-4]}
      metrics: [latency.reported]
      """)
    _ = try await Sweep(plan, corpus: corpus, store: store).run(jobs: jobs)
    let merged = try ResultStore(scratch.file("merged.sqlite"))
    _ = try merged.merge(store.url)
    return try merged.run().cells
  }

  @Test func aProgramThatRepeatsIsNotRandom() async throws {
    let cells = try await cells(script: #"cp "$1" "$2""#)
    #expect(cells.map(\.failure) == [nil, nil])
    // Only the first cell was rendered twice.
    #expect(cells.map(\.isRandom) == [false, nil])
    #expect(cells.map(\.note) == [nil, nil])
  }

  /// The second call changes most bytes of the sound.
  @Test func anOutputThatDiffersIsRandom() async throws {
    let count = scratch.file("count").path
    let cells = try await cells(
      script: """
        echo x >> '\(count)'
        if [ "$(wc -l < '\(count)')" = 2 ]; then
          head -c 1000 "$1" > "$2"; tail -c +1001 "$1" | tr '\\000-\\177' '\\001-\\200' >> "$2"
        else
          cp "$1" "$2"
        fi
        """)
    #expect(cells.map(\.failure) == [nil, nil])
    #expect(cells.map(\.isRandom) == [true, nil])
    #expect(cells[0].note == "the output differs from one rendering to the next")
  }

  @Test func subjectsOfThisPackageAndFoldersAreRenderedOnce() throws {
    let corpus = try scratch.corpus()
    try scratch.write(
      "id: folder\nkind: folder\nfiles: \"{recording}.wav\"\n", to: "Corpus/subjects/folder.yaml")
    try FileManager.default.copyItem(
      at: scratch.file("Corpus/audio/buzz.wav"), to: scratch.file("Corpus/subjects/buzz.wav"))
    let store = try ResultStore(scratch.file("other.sqlite"))
    let plan = try Plan.decoded(
      "name: two\nsubjects: [{id: psola}, {id: folder}]\nrecordings: [buzz]\n"
        + "scores: [{id: up, intervalsSemitones: [4]}]\n")
    #expect(try Sweep(plan, corpus: corpus, store: store).repeated.isEmpty)
  }
}
