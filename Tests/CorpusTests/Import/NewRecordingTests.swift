import Analyzer
import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Corpus

@Suite struct NewRecordingTests {
  @Test func bringsWhatLiesBesideIt() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    tree.sound("my voice.wav", seconds: 0.5)
    tree.text("my voice.f0.csv", "time_s,f0_hz", "0,0", "0.1,110")
    tree.text("elsewhere.txt", "ah")
    var new = NewRecording(tree.path("my voice.wav"), licence: "LicenseRef-private", voice: "bass")
    new.lyrics = tree.path("elsewhere.txt")
    try new.add(to: corpus.url)
    let read = try Corpus(folder: corpus.url)
    let recording = try read.recording(read.entry(id: "my-voice"))
    #expect(recording.annotations.lyrics == "ah")
    // Frames lie every 5 ms, so one at 0.1 s.
    #expect(recording.truth?.f0Hz(atSeconds: 0.1) == 110)
    #expect(recording.entry.mayBeEmbedded == false)
    #expect(try read.verify() == [])
    #expect(throws: Refusal.idTaken(id: "my-voice")) { try new.add(to: corpus.url) }
  }

  @Test func oldManifestsGainTheColumnAndKeepTheirRows() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    let old =
      #"probe,,synthetic:impulses,,CC0-1.0,"Us, and others",none,probe,clicks"#
    corpus.text("manifest.csv", ManifestEntry.requiredColumns.joined(separator: ","), old)
    tree.sound("a.wav", seconds: 0.1)
    try NewRecording(tree.path("a.wav"), licence: "CC0-1.0", voice: "male").add(to: corpus.url)
    let lines = String(decoding: corpus.files["manifest.csv"]!, as: UTF8.self)
      .split(separator: "\n")
    #expect(lines[0] == "id,file,source,sha256,licence,attribution,voice,kind,shows,truth")
    #expect(lines[1] == old[...] + ",")
    #expect(try Corpus(folder: corpus.url).entries.map(\.id) == ["probe", "a"])
  }

  @Test func manifestsWithEveryColumnKeepThem() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    let old = "probe,,synthetic:impulses,,CC0-1.0,us,none,probe,clicks,,clicks,standard"
    corpus.text("manifest.csv", ManifestEntry.columns.joined(separator: ","), old)
    tree.sound("a.wav", seconds: 0.1)
    try NewRecording(tree.path("a.wav"), licence: "CC0-1.0", voice: "male").add(to: corpus.url)
    let lines = String(decoding: corpus.files["manifest.csv"]!, as: UTF8.self)
      .split(separator: "\n")
    #expect(lines[1] == old[...])
    #expect(lines[2].split(separator: ",", omittingEmptySubsequences: false).count == 12)
    let entries = try Corpus(folder: corpus.url).entries
    #expect(entries.map(\.technique) == ["clicks", "sung"])
    #expect(entries.map(\.smallestTier) == [.standard, nil])
  }
}
