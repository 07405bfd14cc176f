import DSP
import Foundation
import Instrument
import Music
import Testing

/// Commands on a project that are killed at random moments: the project then has the state before or
/// the state after, with all its files, and nothing is left over.
@Suite(.serialized) struct KilledProjectTests {
  private static let kills = 50

  /// Starts `choir project` and kills it after a time.
  ///
  /// - Returns: true if it had not ended by itself.
  @discardableResult
  private func run(_ words: [String], in shell: Shell, killedAfter seconds: Double?) throws -> Bool
  {
    let process = Process()
    process.executableURL = Built.choir
    process.arguments = ["project"] + words
    process.currentDirectoryURL = shell.folder
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    if let seconds {
      usleep(UInt32(seconds * 1e6))
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  /// Seconds that a command takes that nobody kills.
  private func seconds(_ words: [String], in shell: Shell) throws -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure { _ = try run(words, in: shell, killedAfter: nil) }
    return Double(time.components.attoseconds) * 1e-18 + Double(time.components.seconds)
  }

  /// A shell whose project `song` has a recording and two takes, and its library.
  private func song() throws -> (Shell, ProjectLibrary) {
    let shell = try Shell()
    let library = ProjectLibrary(shell.folder.appendingPathComponent("Projects"))
    var project = try library.create("song")
    try project.add(
      recording: shell.folder.appendingPathComponent("in.wav"), as: ProjectName("lead"))
    for name in ["a", "b"] {
      var take = ProjectFile.Take(name: try ProjectName(name), recording: try ProjectName("lead"))
      take.chord = try Chord(named: "C:maj")
      try project.add(take)
    }
    return (shell, library)
  }

  /// Names in the folder of projects and in a project, except those of a whole project and the lock
  /// of a killed process, which the next one takes and removes.
  private func strays(_ shell: Shell, _ name: String) throws -> [String] {
    let folder = shell.folder.appendingPathComponent("Projects")
    let files = FileManager.default
    return try
      (files.contentsOfDirectory(atPath: folder.path)
      + files.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)
      + files.contentsOfDirectory(atPath: folder.appendingPathComponent("\(name)/takes").path))
      .filter { $0.hasPrefix(".") && !$0.hasSuffix(".lock") }
  }

  @Test func aSaveIsWholeOrNone() throws {
    let (shell, library) = try song()
    let sound = try shell.bytes("in.wav")
    func words(_ name: String) -> [String] {
      ["add", "song", "--recording", "in.wav", "--as", name]
    }
    let longest = try seconds(words("first"), in: shell)
    var random = SeededGenerator(seed: 1)
    for kill in 0..<Self.kills {
      let before = try library.project(named: "song").file.recordings
      try run(words("r\(kill)"), in: shell, killedAfter: random.uniform() * longest * 1.1)
      let project = try library.project(named: "song")
      let added = project.file.recordings.dropFirst(before.count)
      #expect(Array(project.file.recordings.prefix(before.count)) == before)
      #expect(added.isEmpty || added.map(\.name.description) == ["r\(kill)"])
      #expect(project.missingFiles.isEmpty && project.unusedFiles.isEmpty)
      for recording in added {
        #expect(try Data(contentsOf: project.url(of: recording.file)) == sound)
      }
      #expect(try strays(shell, "song").isEmpty)
    }
  }

  @Test func aRenameIsWholeOrNone() throws {
    let (shell, library) = try song()
    let content = try library.project(named: "song").file
    let longest = try seconds(["rename", "song", "n0"], in: shell)
    var (random, name) = (SeededGenerator(seed: 2), "n0")
    for kill in 1...Self.kills {
      try run(
        ["rename", name, "n\(kill)"], in: shell, killedAfter: random.uniform() * longest * 1.1)
      let names = library.entries().map(\.name)
      #expect(names == [name] || names == ["n\(kill)"])
      name = try #require(names.first)
      let project = try library.project(named: name)
      #expect(project.file == content && project.missingFiles.isEmpty)
      #expect(try strays(shell, name).isEmpty)
    }
  }

  @Test func anExportIsWholeOrNone() throws {
    let (shell, library) = try song()
    let takes = try library.project(named: "song").url(of: "takes")
    let longest = try seconds(["export", "song"], in: shell)
    let whole = try FileManager.default.subpathsOfDirectory(atPath: takes.path).sorted()
    let sounds = try whole.filter { $0.hasSuffix(".wav") }.map {
      try Data(contentsOf: takes.appendingPathComponent($0))
    }
    #expect(whole.count == 14)  // two folders of mix, three stems, truth and notes
    var random = SeededGenerator(seed: 3)
    for _ in 0..<Self.kills {
      for name in ["a", "b"] {
        try? FileManager.default.removeItem(at: takes.appendingPathComponent(name))
      }
      try run(["export", "song"], in: shell, killedAfter: random.uniform() * longest * 1.1)
      _ = try library.project(named: "song")
      let found = try FileManager.default.subpathsOfDirectory(atPath: takes.path).sorted()
        .filter { !$0.hasSuffix(".lock") }
      #expect(found.isEmpty || found == whole)
      if !found.isEmpty {
        let made = try found.filter { $0.hasSuffix(".wav") }.map {
          try Data(contentsOf: takes.appendingPathComponent($0))
        }
        #expect(made == sounds)
      }
      #expect(try strays(shell, "song").isEmpty)
    }
  }
}
