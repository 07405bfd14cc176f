import DSP
import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Corpus

@Suite struct CorpusTests {
  @Test func aSoundCorpusHasNoFindings() throws {
    let scratch = try TemporaryFolder()
    #expect(try scratch.corpus().verify() == [])
  }

  /// Some programs print SHA-256 in capitals.
  @Test func aChecksumInCapitalsIsTheSame() throws {
    let scratch = try TemporaryFolder()
    let plain = try scratch.corpus()
    let file = plain.folder.appendingPathComponent("manifest.csv")
    var text = try String(contentsOf: file, encoding: .utf8)
    for entry in plain.entries where !entry.sha256.isEmpty {
      text = text.replacing(entry.sha256, with: entry.sha256.uppercased())
    }
    try Data(text.utf8).write(to: file)
    let corpus = try Corpus(folder: plain.folder)
    #expect(try corpus.verify() == [])
    #expect(corpus.entries == plain.entries)
  }

  @Test func missingChangedAndExtraFilesAreNamed() throws {
    let scratch = try TemporaryFolder()
    let digest = String(repeating: "0", count: 64)
    let corpus = try scratch.corpus(
      extraRows: "gone,gone.wav,test,\(digest),CC0-1.0,nobody,bass,sung,nothing\n"
        + "ghost,,synthetic:no-such-song,,CC0-1.0,nobody,bass,sung,nothing\n")
    try scratch.write("other", to: "Corpus/audio/buzz.wav")
    try scratch.write("stray", to: "Corpus/audio/more/stray.wav")
    #expect(
      try corpus.verify() == [
        .changed(id: "buzz", file: "buzz.wav"), .missing(id: "gone", file: "gone.wav"),
        .unmade(id: "ghost"), .extra(file: "more/stray.wav"),
      ])
  }

  @Test func aChangedOrMissingRecordingIsNotRead() throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus()
    let entry = try corpus.entry(id: "buzz")
    #expect(try corpus.recording(entry).signal.count == 24_000)
    let path = corpus.file(of: entry)!.path
    try scratch.write("other", to: "Corpus/audio/buzz.wav")
    #expect(throws: Refusal.recordingChanged(id: "buzz", path: path)) {
      _ = try corpus.recording(entry)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: Refusal.recordingMissing(id: "buzz", path: path)) {
      _ = try corpus.recording(entry)
    }
  }

  /// The voice and its truth come after 5 s of stress.
  @Test func theStressedVoiceComesAfterItsStress() throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus(
      extraRows: "stress,,synthetic:after-stress,,CC0-1.0,us,alto,stress,what is kept\n"
        + "plain,,synthetic:vowel-i-alto,,CC0-1.0,us,alto,sung,the same voice\n")
    let stressed = try corpus.recording(corpus.entry(id: "stress"))
    let plain = try corpus.recording(corpus.entry(id: "plain"))
    let samples = stressed.signal.samples
    #expect(samples[..<48_000].allSatisfy { $0 == 0 })
    #expect(samples[48_000..<192_000].allSatisfy { $0 == 0.5 })
    let noise = samples[192_000..<216_000]
    // Uniform noise at full scale: a variance of one third.
    let power = noise.reduce(0) { $0 + Double($1) * Double($1) } / Double(noise.count)
    #expect(abs(power - 1.0 / 3) < 0.01)
    #expect(Array(samples[240_000...]) == plain.signal.samples)
    let (late, own) = (try #require(stressed.truth), try #require(plain.truth))
    try #require(late.f0Hz.count == own.f0Hz.count + 1000)
    #expect(late.f0Hz[..<1000].allSatisfy { $0 == 0 })
    #expect(Array(late.f0Hz[1000...]) == own.f0Hz)
    #expect(
      stressed.annotations.phones?.first?.onsetSeconds
        == plain.annotations.phones?.first.map {
          $0.onsetSeconds + 5
        })
    #expect(try corpus.choice(of: .smoke).contains { $0.id == "stress" })
  }

  @Test func settingsThatDifferAreSpelledDifferently() {
    let one: SubjectSettings = ["a": .text("1 b=2")]
    #expect(one.canonical != (["a": .number(1), "b": .number(2)] as SubjectSettings).canonical)
    let chain: SubjectSettings = ["effects": .text("chorus(mix=30%) > reverb")]
    #expect(chain.canonical == "effects=chorus(mix=30%) > reverb")
  }

  /// Files named after such an id would replace a folder.
  @Test(arguments: [".", ".."]) func folderNamesAreNoIDs(id: String) {
    let entry = ManifestEntry(
      id: id, file: "a.wav", source: "x", sha256: String(repeating: "0", count: 64),
      licence: "CC0-1.0", voice: "bass", kind: "sung", shows: "x")
    #expect(entry.problem?.contains("name of a folder") == true)
  }

  @Test(arguments: [
    ("a b,x.wav,s,0,CC0-1.0,n,v,sung,t", "has other characters than letters"),
    ("a,../x.wav,s,0,CC0-1.0,n,v,sung,t", "outside Corpus/audio"),
    ("a,x.wav,s,0,CC0-1.0,n,v,sung,t", "64 hexadecimal"),
    ("a,x.wav,s,0,,n,v,sung,t", "no licence"),
    ("a,x.wav,s,0,CC0-1.0,n,v,hummed,t", "choose sung, spoken, stress or probe"),
    (
      "p,,synthetic:impulses,,CC0-1.0,n,v,probe,t\np,,synthetic:impulses,,CC0-1.0,n,v,probe,t",
      "occurs twice"
    ),
    ("p,,synthetic:impulses,,CC0-1.0,n,v,probe,t,,,huge", "choose smoke, standard, release or"),
  ])
  func badRowsAreNamedWithTheirLine(row: String, words: String) throws {
    let scratch = try TemporaryFolder()
    let header = ManifestEntry.columns.joined(separator: ",") + "\n"
    try scratch.write(header + row + "\n", to: "manifest.csv")
    let error = #expect(throws: Refusal.self) { try Corpus(folder: scratch.url) }
    let text = error?.description ?? ""
    #expect(text.contains(words), "\(text)")
    #expect(text.contains("manifest.csv:\(row.contains("\n") ? 3 : 2):"))
  }
}
