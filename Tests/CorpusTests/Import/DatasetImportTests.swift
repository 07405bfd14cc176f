import AudioFile
import DSP
import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Corpus

@Suite struct DatasetImportTests {
  /// A data set imported into a new corpus, which is removed with this.
  private struct Imported {
    let corpus = ToyTree()
    let report: ImportReport

    init(_ work: DatasetImport) throws { report = try work.run(into: corpus.url) }

    init(_ toy: ToyDataset) throws {
      let tree = ToyTree()
      toy.build(tree)
      try self.init(Imported.work(toy, tree))
    }

    static func work(_ toy: ToyDataset, _ tree: ToyTree) throws -> DatasetImport {
      var place = tree.url
      if toy.name == "generic" {
        // The ids begin with the name of the folder.
        place = tree.path("toy")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: tree.path("mine"), to: tree.path("toy/mine"))
      }
      return DatasetImport(try .named(toy.name), from: place)
    }
  }

  @Test(arguments: ToyDataset.all)
  func truthIsWhatTheLayoutSays(toy: ToyDataset) throws {
    let imported = try Imported(toy)
    #expect(imported.report.imported == toy.ids)
    #expect(imported.report.missing == (toy.missing.isEmpty ? [] : [toy.missing]))
    #expect(imported.report.refused == [])
    let entry = try Corpus(folder: imported.corpus.url).entry(id: toy.clip)
    #expect(entry.voice == toy.voice)
    #expect(entry.licence == toy.licence)
    let base =
      "audio/" + String(entry.file.dropLast(URL(fileURLWithPath: entry.file).pathExtension.count))
    let files = imported.corpus.files.filter {
      $0.key.hasPrefix(base) && $0.key != "audio/\(entry.file)"
    }
    let truth = Dictionary(
      uniqueKeysWithValues: files.map {
        (String($0.key.dropFirst(base.count)), String(decoding: $0.value, as: UTF8.self))
      })
    #expect(truth == toy.truth)
  }

  @Test(arguments: ToyDataset.all)
  func verifyNamesWhatChangedWasLostOrAdded(toy: ToyDataset) throws {
    let imported = try Imported(toy)
    let corpus = try Corpus(folder: imported.corpus.url)
    #expect(try corpus.verify() == [])
    let entry = try corpus.entry(id: toy.clip)
    let kinds = entry.truth.keys.sorted { $0.rawValue < $1.rawValue }
    let changed = entry.file(of: kinds[0])
    imported.corpus.text("audio/\(changed)", "something else")
    imported.corpus.text("audio/stranger.txt", "who?")
    try FileManager.default.removeItem(at: imported.corpus.path("audio/\(entry.file)"))
    #expect(
      try corpus.verify() == [
        .missing(id: entry.id, file: entry.file),
        .changed(id: entry.id, file: changed), .extra(file: "stranger.txt"),
      ])
  }

  @Test(arguments: ToyDataset.all)
  func importingAgainChangesNothing(toy: ToyDataset) throws {
    let tree = ToyTree()
    toy.build(tree)
    let corpus = ToyTree()
    let work = try Imported.work(toy, tree)
    _ = try work.run(into: corpus.url)
    let before = corpus.files
    let again = try work.run(into: corpus.url)
    #expect(again.imported == [])
    #expect(again.present == toy.ids)
    #expect(corpus.files == before)
  }

  @Test func onlyTheRightChannelIsTheVoice() throws {
    let toy = ToyDataset.mir1K
    let imported = try Imported(toy)
    let corpus = try Corpus(folder: imported.corpus.url)
    let recording = try corpus.recording(try corpus.entry(id: toy.clip))
    #expect(recording.signal.samples.dropLast().allSatisfy { $0 == 0.25 })
  }

  /// Published copies of vocadito's table differ in columns that the import doesn't use.
  @Test(arguments: [
    "Track_ID, singer_id, average_pitch_midi, Language",
    "track_id,singer_id,average_pitch,language",
  ])
  func vocaditosColumnsAreFoundByName(header: String) throws {
    let tree = ToyTree()
    ToyDataset.vocadito.build(tree)
    tree.text("vocadito_metadata.csv", header, "1,S1,57,Hindi")
    let corpus = ToyTree()
    corpus.text("manifest.csv", ManifestEntry.requiredColumns.joined(separator: ","))
    _ = try DatasetImport(.vocadito, from: tree.url).run(into: corpus.url)
    let entry = try Corpus(folder: corpus.url).entry(id: "vocadito-1")
    #expect(entry.shows == "solo singing in Hindi")
  }

  @Test func aVocaditoTableWithoutLanguagesIsRefused() throws {
    let tree = ToyTree()
    ToyDataset.vocadito.build(tree)
    tree.text("vocadito_metadata.csv", "track_id,singer_id", "1,S1")
    let error = try #require(throws: (any Error).self) {
      try Imported(DatasetImport(.vocadito, from: tree.url))
    }
    #expect("\(error)".contains("has no column 'language'"))
  }

  /// The data set itself, and a folder of it, lie elsewhere; one link leads back up.
  @Test func linkedFoldersAreRead() throws {
    let (tree, links) = (ToyTree(), ToyTree())
    ToyDataset.vocadito.build(tree)
    try FileManager.default.moveItem(at: tree.path("Audio"), to: links.path("elsewhere"))
    for (link, target) in [
      (tree.path("Audio"), links.path("elsewhere")), (tree.path("Annotations/up"), tree.url),
      (links.path("set"), tree.url),
    ] { try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target) }
    let report = try Imported(DatasetImport(.vocadito, from: links.path("set"))).report
    #expect(report.imported == ToyDataset.vocadito.ids)
  }

  /// A pitch file of the mix is no singer's.
  @Test func aStrayPitchFileIsNoClip() throws {
    let tree = ToyTree()
    ToyDataset.choralSinging.build(tree)
    tree.text("CSD_mix_1.f0", "0.00 0")
    let report = try Imported(DatasetImport(.choralSinging, from: tree.url)).report
    #expect(report.imported == ToyDataset.choralSinging.ids)
  }

  /// A header can be whole where the sound is not.
  @Test(arguments: [ToyDataset.mir1K, .generic])
  func aClipWithASampleThatIsNoNumberIsLeftOut(toy: ToyDataset) throws {
    let tree = ToyTree()
    toy.build(tree)
    let folder = toy.name == "generic" ? "mine" : "Wavfile"
    let file = tree.path("\(folder)/bad_1_01.wav")
    let levels: [[Float]] = [[0, 0, 0, 0], [0, 0, 0, 0.5]]
    try AudioFile(channels: levels, sampleRateHz: 8000).write(
      to: file.path, encoding: .wav(.float32))
    let bytes = try Data(contentsOf: file)
    try (bytes.dropLast(4) + [0, 0, 0xC0, 0x7F]).write(to: file)
    let report = try Imported(Imported.work(toy, tree)).report
    #expect(report.imported == toy.ids)
    #expect(report.refused.count == 1 && report.refused.first?.id.hasSuffix("bad_1_01") == true)
  }

  @Test func aFailedImportLeavesTheCorpusAsItWas() throws {
    let tree = ToyTree()
    ToyDataset.vocadito.build(tree)
    let corpus = ToyTree()
    corpus.text("manifest.csv", ManifestEntry.requiredColumns.joined(separator: ","))
    // The place of the last clip is taken by a file that is not in the manifest.
    corpus.text("audio/vocadito/vocadito-2.wav", "in the way")
    let before = corpus.files
    #expect(throws: Refusal.self) {
      try DatasetImport(.vocadito, from: tree.url).run(into: corpus.url)
    }
    #expect(corpus.files == before)
  }

  @Test func aMoveThatFailsTakesBackThoseBeforeIt() throws {
    let tree = ToyTree()
    ToyDataset.vocadito.build(tree)
    let corpus = ToyTree()
    #expect(throws: Refusal.self) {
      try DatasetImport(.vocadito, from: tree.url).run(into: corpus.url) { done, total, _ in
        // All is prepared and nothing moved; now another file takes the place of the last clip.
        if done == total { corpus.text("audio/vocadito/vocadito-2.wav", "in the way") }
      }
    }
    #expect(Array(corpus.files.keys) == ["audio/vocadito/vocadito-2.wav"])
  }

  @Test func aFolderOfSomethingElseSaysWhatWasExpected() throws {
    let tree = ToyTree()
    tree.text("Holiday/beach.txt", "sand")
    let error = #expect(throws: Refusal.self) {
      try Imported(DatasetImport(.mir1K, from: tree.url))
    }
    #expect(
      error?.description == "\(tree.url.path) does not look like MIR-1K: expected Wavfile/*.wav in "
        + "it or at most three folders down; found Holiday/beach.txt")
  }

  @Test func aWrongNameListsTheRightOnes() {
    expectRefusal("vocadito, mir-1k, mdb-stem-synth, ptdb-tug") { try Dataset.named("vocalsett") }
  }

  @Test func whatContradictsTheLayoutIsLeftOutAndNamed() throws {
    let tree = ToyTree()
    ToyDataset.mir1K.build(tree)
    // Twice as many frames as 20 ms allow in 0.1 s, and more.
    tree.data("PitchLabel/Ani_1_01.pv", Data(String(repeating: "69\n", count: 20).utf8))
    tree.sound("Wavfile/mono_1_1.wav", seconds: 0.1)
    tree.text("PitchLabel/mono_1_1.pv", "0", "0", "0", "0")
    tree.text("Lyrics/mono_1_1.txt", "x")
    let corpus = ToyTree()
    let report = try DatasetImport(.mir1K, from: tree.url).run(into: corpus.url)
    #expect(report.imported == ["mir-1k-fdps_2_03"])
    #expect(
      report.refused.map(\.reason) == [
        "PitchLabel/Ani_1_01.pv: 20 frames of 20.0 ms make 0.4 s, but the sound lasts 0.1 s; "
          + "check that they belong together",
        "Wavfile/mono_1_1.wav has 1 channel; the voice should be on channel 2",
      ])
  }

  /// The pitch of a choir must not be taken for the soprano's.
  @Test func pitchOfSeveralVoicesIsRefused() throws {
    let tree = ToyTree()
    tree.sound("choir.wav", seconds: 0.1)
    try "time_s,soprano_hz,bass_hz\n0,440,110\n0.05,440,110\n".write(
      to: tree.path("choir.f0.csv"), atomically: true, encoding: .utf8)
    let corpus = ToyTree()
    expectError("2 voices (soprano_hz, bass_hz)") {
      try DatasetImport(.generic, from: tree.url).run(into: corpus.url)
    }
  }

  /// Truth that can't belong to a sound of 0.2 s, and truth that goes on for a frame more.
  @Test(arguments: [
    ("f0.csv", "time_s,f0_hz", "has no rows"),
    ("f0.csv", "time_s,f0_hz\n5,220\n5.1,220", "its last time is 5.1 s, but the sound lasts 0.2 s"),
    ("f0.csv", "time_s,f0_hz\n0,220\n100,220\n190,220", "milliseconds: divide its times by 1000"),
    ("f0.csv", "time_s,f0_hz\n0,220\n0.25,220", nil),
    ("f0.csv", "time_s,f0_hz\n0,5851\n0.1,5826\n0.15,0", "its median pitch is 5838.5 Hz"),
    ("f0.csv", "time_s,f0_hz\n0,0.22\n0.1,0.22", "its median pitch is 0.2 Hz"),
    ("notes.csv", "onset_s,offset_s,f0_hz\n0.1,0.9,220", "its last time is 0.9 s"),
    ("phones.csv", "onset_s,offset_s,label\n0,150,a", "milliseconds"),
    ("words.csv", "onset_s,offset_s,label", "has no rows"),
  ])
  func truthThatCannotBelongIsRefused(suffix: String, text: String, problem: String?) throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    tree.sound("voice.wav", seconds: 0.2)
    tree.sound("other.wav", seconds: 0.3)
    try (text + "\n").write(to: tree.path("voice.\(suffix)"), atomically: true, encoding: .utf8)
    let report = try DatasetImport(.generic, from: tree.url).run(into: corpus.url)
    #expect(report.refused.count == (problem == nil ? 0 : 1))
    if let problem {
      #expect(report.refused[0].reason.contains(problem), "\(report.refused[0].reason)")
      #expect(report.refused[0].reason.hasPrefix("voice.\(suffix)"))
    }
    #expect(try Corpus(folder: corpus.url).verify() == [])
  }

  /// A corpus made by an earlier version, or by hand, holds such truth.
  @Test func verifyNamesTruthThatCannotBelong() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    tree.sound("voice.wav", seconds: 0.2)
    try "time_s,f0_hz\n0,220\n0.19,220\n"
      .write(to: tree.path("voice.f0.csv"), atomically: true, encoding: .utf8)
    _ = try DatasetImport(.generic, from: tree.url).run(into: corpus.url)
    let entry = try #require(try Corpus(folder: corpus.url).entries.first)
    let file = corpus.path("audio/\(entry.file(of: .f0))")
    let text = "time_s,f0_hz\n0,220\n190,220\n"
    try Data(text.utf8).write(to: file)
    let manifest = corpus.path("manifest.csv")
    let rows = try String(contentsOf: manifest, encoding: .utf8)
    let old = try #require(entry.truth[.f0])
    try Data(rows.replacingOccurrences(of: old, with: Digest.sha256(text)).utf8).write(to: manifest)
    let findings = try Corpus(folder: corpus.url).verify()
    #expect(findings.count == 1 && "\(findings)".contains("milliseconds"), "\(findings)")
  }

  /// Results are kept by sound and truth, so three names of one sound would be one cell.
  @Test func theSameSoundTwiceIsSaid() throws {
    let (tree, corpus) = (ToyTree(), ToyTree())
    tree.sound("a.wav", seconds: 0.2)
    for name in ["b", "c"] { tree.data("\(name).wav", tree.files["a.wav"]!) }
    try "time_s,f0_hz\n0,220\n"
      .write(to: tree.path("c.f0.csv"), atomically: true, encoding: .utf8)
    let report = try DatasetImport(.generic, from: tree.url).run(into: corpus.url)
    #expect(report.imported.map { $0.suffix(2) } == ["-a", "-c"])
    #expect(report.refused.map(\.reason).allSatisfy { $0.contains("has the same sound") })
    #expect(report.refused.count == 1)
    let before = corpus.files
    #expect(try DatasetImport(.generic, from: tree.url).run(into: corpus.url).imported.isEmpty)
    #expect(corpus.files == before)
    var row = NewRecording(tree.path("b.wav"), licence: "CC0-1.0", voice: "bass")
    row.id = "again"
    #expect(throws: SameSound.self) { try row.add(to: corpus.url) }
    let manifest = corpus.path("manifest.csv")
    let rows = try String(contentsOf: manifest, encoding: .utf8)
    let last = try #require(rows.split(separator: "\n").first { $0.contains("-a,") })
    let id = report.imported[0]
    let twin = last.replacingOccurrences(of: "\(id),", with: "twin,")
    try Data((rows + twin + "\n").utf8).write(to: manifest)
    #expect(try Corpus(folder: corpus.url).verify() == [.twin(id: "twin", of: id)])
  }

  @Test func limitSpreadsAndLinksLead() throws {
    let tree = ToyTree()
    for clip in 0..<6 { tree.sound("s\(clip).wav", seconds: 0.1 + 0.01 * Double(clip)) }
    let corpus = ToyTree()
    let work = DatasetImport(.generic, from: tree.url, limit: 2, linksSound: true)
    let report = try work.run(into: corpus.url)
    #expect(report.imported.map { $0.suffix(2) } == ["s0", "s3"])
    let entries = try Corpus(folder: corpus.url).entries
    let links = try entries.map {
      try FileManager.default.destinationOfSymbolicLink(
        atPath: corpus.path("audio/\($0.file)").path)
    }
    #expect(links == ["s0.wav", "s3.wav"].map { tree.path($0).path })
    #expect(try Corpus(folder: corpus.url).verify() == [])
  }
}
