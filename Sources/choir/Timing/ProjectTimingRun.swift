import AudioFile
import Foundation
import Instrument
import Music
import Platform
import Subjects

/// Measures what an app does with projects: create, save, list, load and export them.
///
/// Every project has one recording of a second and a number of takes: a held chord by the reference
/// harmonizer. Files are written to the system's temporary folder, so its disk is part of the figures.
struct ProjectTimingRun: Sendable {
  enum Action: String, Codable, CaseIterable, Sendable {
    /// A new project with its recording and its takes.
    case create
    /// One more take.
    case save
    /// The folder of all projects so far.
    case list
    case load
    /// All takes, rendered to WAV: mix, stems, truth log and MIDI.
    case export
  }

  struct Row: Encodable, Sendable {
    var action: Action
    var takes: Int
    /// Elapsed time.
    var elapsedMs: Double
  }

  /// Numbers of takes in the projects.
  let takeCounts: [Int]
  let sampleRateHz: Double

  var rowCount: Int { takeCounts.count * Action.allCases.count }

  init(takeCounts: [Int] = [1, 10, 100], sampleRateHz: Double = 48_000) {
    (self.takeCounts, self.sampleRateHz) = (takeCounts, sampleRateHz)
  }

  /// Measures all rows.
  ///
  /// - Parameter report: called with each row.
  func rows(report: (Row) -> Void = { _ in }) throws -> [Row] {
    let folder = try ScratchFolder()
    let library = ProjectLibrary(folder.file("projects"))
    let voice = folder.file("voice.wav")
    let sound = ProbeSounds.steady(hz: 220, seconds: 1, sampleRateHz: sampleRateHz)
    try AudioFile(sound).write(to: voice.path)
    var rows: [Row] = []
    for count in takeCounts {
      func time<Value>(_ action: Action, _ work: () throws -> Value) rethrows -> Value {
        let before = WallClock.seconds
        let value = try work()
        let row = Row(
          action: action, takes: count, elapsedMs: (WallClock.seconds - before) * 1000)
        rows.append(row)
        report(row)
        return value
      }
      let name = "project of \(count)"
      let made = try time(.create) {
        var project = try library.create(name)
        try project.add(recording: voice, as: ProjectName("voice"))
        let takes = try (1...count).map(Self.take)
        try project.save { $0.file.takes = takes }
        return project
      }
      try time(.save) {
        var project = made
        try project.add(Self.take(count + 1))
      }
      _ = time(.list) { library.entries() }
      let project = try time(.load) { try library.project(named: name) }
      _ = try time(.export) {
        try ProjectExport().write(Array(project.file.takes.prefix(count)), of: project)
      }
    }
    return rows
  }

  private static func take(_ number: Int) throws -> ProjectFile.Take {
    var take = ProjectFile.Take(
      name: try ProjectName("take \(number)"), recording: try ProjectName("voice"))
    take.chord = try Chord(named: "C:maj7")
    return take
  }
}
