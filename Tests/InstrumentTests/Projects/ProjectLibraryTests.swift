import AudioFile
import DSP
import Foundation
import Harmonizer
import Music
import TestSupport
import Testing

@testable import Instrument

/// A folder of projects with a recording beside it: a second of a buzz of 220 Hz.
final class ToyLibrary {
  let folder: TemporaryFolder
  let library: ProjectLibrary
  var voice: URL { folder.file("voice.wav") }

  init() throws {
    folder = try TemporaryFolder()
    library = ProjectLibrary(folder.file("Projects"))
    try AudioFile(Self.buzz).write(to: voice.path)
  }

  static let buzz = Signal.harmonics(sawtooth(10, first: 0.1), of: 220)

  /// A project with the recording `lead`, the preset `reverb` and the take `pad`.
  func song(_ name: String = "song") throws -> Project {
    var project = try library.create(name)
    try project.add(recording: voice, as: ProjectName("lead"))
    try project.add(PresetBank.preset(named: "reverb")!, as: ProjectName("reverb"))
    try project.add(pad())
    return project
  }

  func pad(_ name: String = "pad") throws -> ProjectFile.Take {
    var take = ProjectFile.Take(name: try ProjectName(name), recording: try ProjectName("lead"))
    take.chord = try Chord(named: "C:maj")
    take.preset = try ProjectName("reverb")
    return take
  }
}

@Suite struct ProjectLibraryTests {
  @Test func aProjectIsReadBackAsItWasSaved() throws {
    let toy = try ToyLibrary()
    let project = try toy.song("🎤 song")
    let read = try toy.library.project(named: "🎤 song")
    #expect(read.file == project.file)
    #expect(read.file.names(of: .take).map(\.description) == ["pad"])
    #expect(read.missingFiles.isEmpty && read.unusedFiles.isEmpty)
    #expect(toy.library.entries().map(\.name) == ["🎤 song"])
  }

  @Test func namesThatExistAreRefused() throws {
    let toy = try ToyLibrary()
    var song = try toy.song()
    let other = try toy.library.create("other")
    let exists = ProjectError.exists(other.name, folder: toy.library.folder.path)
    #expect(throws: exists) { try toy.library.create("other") }
    #expect(throws: exists) { try toy.library.rename("song", to: "other") }
    #expect(throws: exists) { try toy.library.duplicate("song", as: "other") }
    let (lead, pad) = (try ProjectName("lead"), try ProjectName("pad"))
    #expect(throws: ProjectError.itemExists(.recording, lead, project: song.name)) {
      try song.add(recording: toy.voice, as: lead)
    }
    #expect(throws: ProjectError.itemExists(.take, pad, project: song.name)) {
      try song.add(toy.pad())
    }
    #expect(try toy.library.project(named: "song").file == song.file)
    #expect(toy.library.entries().map(\.name) == ["other", "song"])
  }

  /// A folder of something else is nobody's project.
  @Test func aForeignFolderIsNotTaken() throws {
    let toy = try ToyLibrary()
    try toy.folder.write("mine", to: "Projects/notes/a.txt")
    #expect(throws: ProjectError.self) { try toy.library.create("notes") }
    #expect(toy.library.entries().isEmpty)
    #expect(try toy.folder.files(below: "Projects") == ["notes/a.txt"])
  }

  @Test func aRenamedItemKeepsItsTakes() throws {
    let toy = try ToyLibrary()
    var song = try toy.song()
    try song.rename(.recording, ProjectName("lead"), to: ProjectName("voice"))
    try song.rename(.preset, ProjectName("reverb"), to: ProjectName("hall"))
    let take = try toy.library.project(named: "song").take("pad")
    #expect(take.recording.description == "voice")
    #expect(take.preset?.description == "hall")
  }

  @Test func whatATakeUsesIsNotRemoved() throws {
    let toy = try ToyLibrary()
    var song = try toy.song()
    let (lead, pad) = (try ProjectName("lead"), try ProjectName("pad"))
    #expect(throws: ProjectError.inUse(.recording, lead, takes: [pad])) {
      try song.remove(.recording, lead)
    }
    try song.remove(.take, pad)
    try song.remove(.recording, lead)
    #expect(
      try toy.folder.files(below: "Projects/song") == ["presets/reverb.json", "project.yaml"])
  }

  /// Two recordings from files of one name keep their own sounds.
  @Test func filesOfOneNameStayApart() throws {
    let toy = try ToyLibrary()
    var song = try toy.song()
    let other = toy.folder.file("other/voice.wav")
    try FileManager.default.createDirectory(
      at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
    try AudioFile(Signal([0.5, 0.25, 0.5, 0.25], sampleRateHz: 48_000)).write(to: other.path)
    var sample = Sample.Settings()
    (sample.snapMs, sample.fadeMs) = (0, 0)
    try song.add(recording: other, as: ProjectName("short"), sample: sample)
    #expect(try song.recording("lead").file == "recordings/voice.wav")
    #expect(try song.recording("short").file == "recordings/2/voice.wav")
    #expect(try song.sample(of: song.recording("short")).crop == 0..<4)
    #expect(try song.sample(of: song.recording("lead")).crop.count == 48_000)
  }

  /// A relative link would lead nowhere from within the project.
  @Test func aLinkIsCopiedAsItsFile() throws {
    let toy = try ToyLibrary()
    var song = try toy.library.create("song")
    try FileManager.default.createSymbolicLink(
      atPath: toy.folder.path("link.wav"), withDestinationPath: "voice.wav")
    try song.add(recording: toy.folder.file("link.wav"), as: ProjectName("lead"))
    #expect(song.missingFiles.isEmpty)
    #expect(try song.sample(of: song.recording("lead")).crop.count == 48_000)
  }

  /// A folder in the place of a file is not the item's to delete.
  @Test func noFolderIsRemovedWithAnItem() throws {
    let toy = try ToyLibrary()
    var song = try toy.song()
    try song.remove(.take, ProjectName("pad"))
    let file = song.url(of: "recordings/voice.wav")
    try FileManager.default.removeItem(at: file)
    try toy.folder.write("mine", to: "Projects/song/recordings/voice.wav/notes.txt")
    try song.remove(.recording, ProjectName("lead"))
    #expect(FileManager.default.fileExists(atPath: file.appendingPathComponent("notes.txt").path))
  }

  @Test func aCopyIsIndependent() throws {
    let toy = try ToyLibrary()
    _ = try toy.song()
    var copy = try toy.library.duplicate("song", as: "copy")
    try copy.remove(.take, ProjectName("pad"))
    #expect(try toy.library.project(named: "song").file.takes.count == 1)
    #expect(
      try Data(contentsOf: copy.url(of: "recordings/voice.wav")) == Data(contentsOf: toy.voice))
    try toy.library.remove("song")
    #expect(toy.library.entries().map(\.name) == ["copy"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: toy.library.folder.path) == ["copy"])
  }

  /// Saves start from the disk, not from what this value read before.
  @Test func twoWritersLoseNothing() throws {
    let toy = try ToyLibrary()
    var (one, other) = (try toy.song(), try toy.library.project(named: "song"))
    try one.add(toy.pad("a"))
    try other.add(toy.pad("b"))
    let takes = try toy.library.project(named: "song").file.names(of: .take)
    #expect(takes.map(\.description) == ["pad", "a", "b"])
  }

  @Test func aFolderThatCantBeWrittenIsNamed() throws {
    let toy = try ToyLibrary()
    // A file where a folder is wanted is in the way of everybody, root too.
    let library = ProjectLibrary(toy.voice.appendingPathComponent("Projects"))
    let error = #expect(throws: ProjectError.self) { try library.create("song") }
    #expect(error?.description.contains(toy.voice.path) == true)
    #expect(error?.description.contains("nothing was changed") == true)
  }
}
