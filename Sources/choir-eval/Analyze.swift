import Analyzer
import ArgumentParser
import AudioFile
import DSP
import Evaluation
import Foundation
import Reporting

struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pitch, notes, formants and level of recordings.",
    discussion: """
      CSV files have one frame or note a row: time_s,f0_hz,voicing (f0 0 where unvoiced),
      time_s,f1_hz,f2_hz,f3_hz,f4_hz (empty where there is none), and
      onset_s,offset_s,f0_hz,midi,deviation_cents.

      Of several recordings, the files go to folders: --f0-csv tables/ makes tables/NAME.f0.csv of
      each; .formants.csv, .notes.csv and .svg likewise.
      """)

  @Argument(help: "Recordings: WAV, FLAC, AIFF, Ogg, Opus or MP3; channels are averaged.")
  var files: [String]
  @Option(help: "Time between frames.") var hopMs = 5.0
  @Option(help: "File for the pitch; a folder for that of several.") var f0Csv: String?
  @Option(help: "File, or folder, for the formants.") var formantsCsv: String?
  @Option(help: "File, or folder, for the notes.") var notesCsv: String?
  @Option(help: "SVG file, or folder, for pitch and formants over the spectrogram, and the level.")
  var plot: String?
  @Flag(help: "Print JSON.") var json = false

  private var trackerSettings: PitchTracker.Settings {
    var settings = PitchTracker.Settings()
    settings.hopMs = hopMs
    return settings
  }

  /// Where each kind of file goes, and how its name ends in a folder.
  private var outputs: [(flag: String, path: String?, suffix: String)] {
    [
      ("--f0-csv", f0Csv, "f0.csv"), ("--formants-csv", formantsCsv, "formants.csv"),
      ("--notes-csv", notesCsv, "notes.csv"), ("--plot", plot, "svg"),
    ]
  }

  func validate() throws {
    do { try trackerSettings.validate() } catch { throw ValidationError("\(error).") }
    guard files.count > 1 else { return }
    for case (let flag, let path?, _) in outputs where !Self.isFolder(path) {
      throw ValidationError(
        "\(flag) \(path) is one file for \(files.count) recordings; name a folder: \(path)/")
    }
    let names = Dictionary(grouping: files, by: Self.name)
    if outputs.contains(where: { $0.path != nil }), let twice = names.first(where: { $1.count > 1 })
    {
      throw ValidationError(
        "\(twice.value.joined(separator: " and ")) would both be written as \(twice.key); "
          + "analyze them one by one.")
    }
  }

  func run() throws {
    var summaries: [RecordingSummary] = []
    var failed = false
    var progress = files.count > 1 ? ProgressBar(total: files.count) : nil
    for file in files {
      do {
        let summary = try analyzed(file)
        progress?.clear()
        if json { summaries.append(summary) } else { print(summary.text) }
      } catch {
        progress?.clear()
        Terminal.printError("\(error)")
        failed = true
      }
      progress?.advance(to: file)
    }
    if json { print(try JSON.text(summaries)) }
    if failed { throw ExitCode(2) }
  }

  /// Measures one recording and writes what was asked for.
  private func analyzed(_ file: String) throws -> RecordingSummary {
    let signal = try AudioFile(reading: file).mono
    let began = ThreadClock.seconds
    let track = try PitchTracker(trackerSettings).track(signal)
    let tookSeconds = ThreadClock.seconds - began
    let profile = try VoiceProfile(of: signal, track: track)
    try write(profile.f0Table, to: f0Csv, of: file, "f0.csv")
    try write(profile.formantTable, to: formantsCsv, of: file, "formants.csv")
    try write(profile.noteTable, to: notesCsv, of: file, "notes.csv")
    if let path = try place(plot, of: file, "svg") {
      try VoicePicture(of: signal, profile, title: file).write(to: URL(fileURLWithPath: path))
    }
    return RecordingSummary(file: file, of: signal, profile, pitchTookSeconds: tookSeconds)
  }

  private func write(
    _ text: @autoclosure () -> String, to path: String?, of file: String, _ suffix: String
  ) throws {
    guard let path = try place(path, of: file, suffix) else { return }
    try text().write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The file itself, or one named after the recording in the folder, which is made.
  private func place(_ path: String?, of file: String, _ suffix: String) throws -> String? {
    guard let path, Self.isFolder(path) else { return path }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return URL(fileURLWithPath: path).appendingPathComponent("\(Self.name(of: file)).\(suffix)")
      .path
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        && isDirectory.boolValue
  }

  private static func name(of file: String) -> String {
    URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
  }
}
