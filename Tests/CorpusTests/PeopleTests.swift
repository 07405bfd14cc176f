import Analyzer
import Foundation
import TestSupport
import Testing

@testable import Corpus

/// The recordings of people that come with the repository.
@Suite struct PeopleTests {
  private static func corpus() throws -> (Corpus, [ManifestEntry]) {
    let corpus = try Corpus(folder: Repository.file("Corpus"))
    return (corpus, corpus.entries.filter { $0.source.hasPrefix("shipped:") })
  }

  @Test func everyRecordingMayBeGivenAway() throws {
    let (corpus, people) = try Self.corpus()
    // The rows of the table that people are cut from, without its header.
    let table = try String(
      contentsOf: Repository.file("Corpus/people/recordings.csv"), encoding: .utf8)
    let cut = table.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[0] }
    #expect(Set(people.map(\.id)) == Set(cut.map(String.init)))
    for entry in people {
      let licence = try Licence(entry.licence)
      #expect(licence.redistribution == .free, "\(entry.id)")
      #expect(!entry.attribution.isEmpty, "\(entry.id)")
      #expect(entry.smallestTier != nil, "\(entry.id) would change the smoke tier")
      _ = try corpus.recording(entry)
    }
  }

  /// The notes that the makers name: in their files' names, a score, or a melody that everybody knows
  /// on the key of its first note. Singers without accompaniment keep them to a semitone; trained
  /// ones that were given a note, to a quarter-tone.
  @Test(
    arguments: [
      ("sung-female-a3", [57], 0.5), ("sung-female-a5", [81], 0.5), ("sung-male-g2", [43], 0.5),
      ("sung-male-a4", [69], 0.5), ("choir-women-a4", [69], 0.5), ("choir-men-c3", [48], 0.5),
      ("sung-soprano-e4", [64], 0.5),
      ("sung-female-japanese", [65, 67, 69, 72, 69, 65, 67], 0.6),
      ("sung-female-birthday", [54, 54, 56, 54, 59, 58, 54, 54, 56, 54, 61, 59], 1),
      // The makers' first annotator.
      (
        "sung-male-tagalog",
        [49.6, 51.3, 53.0, 49.6, 45.7, 48.3, 51.5, 50.9, 52.6, 50.9, 49.9, 47.5], 0.3
      ),
    ] as [(String, [Double], Double)])
  func notesAreThoseThatTheMakersName(id: String, notes: [Double], toleranceSemitones: Double)
    throws
  {
    let (corpus, _) = try Self.corpus()
    let sung = try #require(try corpus.recording(corpus.entry(id: id)).annotations.notes)
    #expect(sung.count == notes.count)
    for (note, expected) in zip(sung, notes) {
      let semitones = 69 + 12 * log2(note.f0Hz / 440)
      #expect(abs(semitones - expected) < toleranceSemitones, "at \(note.onsetSeconds) s")
    }
  }

  @Test(arguments: [
    "sung-male-growl", "sung-male-scream", "spoken-male-creaky", "spoken-male-whisper",
  ])
  func voicesWithoutHarmonicsHaveNoPitch(id: String) throws {
    let (corpus, _) = try Self.corpus()
    let truth = try #require(try corpus.recording(corpus.entry(id: id)).truth)
    #expect(truth.f0Hz.allSatisfy { $0 == 0 } && truth.count > 400)
  }

  /// The vote of the five trackers and the judge's own two trackers hear the same voice.
  @Test func thePitchIsThatOfTheConsensus() throws {
    let (corpus, people) = try Self.corpus()
    for entry in people where entry.technique != "choir" {
      let recording = try corpus.recording(entry)
      let (truth, heard) = (
        try #require(recording.truth), PitchConsensus.truth(of: recording.signal)
      )
      let away = zip(truth.f0Hz, heard.track.f0Hz).filter { $0 > 0 && $1 > 0 }
        .map { abs(cents($0, over: $1)) }
      guard !away.isEmpty else { continue }
      // Pitch that moves fast differs with the length of the window.
      #expect(Double(away.count { $0 > 100 }) <= 0.02 * Double(away.count), "\(entry.id)")
    }
  }
}
