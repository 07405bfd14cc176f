import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus

@Suite struct CorpusTests {
  @Test func aSoundCorpusHasNoFindings() throws {
    let scratch = try TemporaryFolder()
    #expect(try scratch.corpus().verify() == [])
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
    #expect(throws: CorpusError.recordingChanged(id: "buzz", path: path)) {
      _ = try corpus.recording(entry)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: CorpusError.recordingMissing(id: "buzz", path: path)) {
      _ = try corpus.recording(entry)
    }
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
    do {
      _ = try Corpus(folder: scratch.url)
      Issue.record("the manifest was accepted")
    } catch let error as CorpusError {
      #expect(error.description.contains(words), "\(error)")
      #expect(error.description.contains("manifest.csv:\(row.contains("\n") ? 3 : 2):"))
    }
  }
}
