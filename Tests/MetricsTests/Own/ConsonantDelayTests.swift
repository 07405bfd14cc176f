import Analyzer
import Corpus
import DSP
import Foundation
import Testing

@testable import Metrics
@testable import Subjects

@Suite struct ConsonantDelayTests {
  /// The stops of a child are so short that grains 1 ms beside their places look like a decay: with the delay in whole
  /// milliseconds, 50 % of the consonants are kept at 4.4 ms and 92 % at 4.6 ms.
  @Test func aDelayWrongBy1MsHardlyMovesTheFates() throws {
    let corpus = try Corpus(folder: URL(filePath: "Corpus"))
    let recording = try corpus.recording(try corpus.entry(id: "synth-melody-child"))
    let consonants = ConsonantClass.consonants(in: try #require(recording.phones))
    let score = Score(id: "third", intervalsSemitones: [4])
    let rendering = try ReferenceSubject().render(
      recording.signal, score: ResolvedScore(score, lead: try #require(recording.truth)),
      settings: ["engine": .text("psola")])
    let kept = try [3.8, 4.4, 4.6, 5.6].map { delayMs in
      try #require(
        try ConsonantFate(
          of: consonants, in: rendering.stems[0], from: recording.signal,
          delaySeconds: delayMs / 1000
        ).share(.kept))
    }
    // One consonant may lie at a limit.
    #expect(kept.max()! - kept.min()! < 1.5 / Double(consonants.count), "\(kept)")
  }
}
