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
      CSV files have one frame, note or mark a row:
        --f0-csv        time_s,f0_hz,voicing; f0 0 where unvoiced
        --pitch-csv     the same, with likely_hz (also where unvoiced) and uncertainty_cents
        --formants-csv  time_s,f1_hz,f2_hz,f3_hz,f4_hz; empty where there is none
        --notes-csv     onset_s,offset_s,f0_hz,midi,deviation_cents,glide_cents,vibrato_hz,
                        vibrato_cents
        --epochs-csv    time_s,voiced: a mark in every period
        --envelope-csv  time_s,hz,db
        --voices-csv    time_s,voice,f0_hz,uncertainty_cents,explained,unheard

      Of several recordings, the files go to folders: --f0-csv tables/ makes tables/NAME.f0.csv of
      each; .pitch.csv, .formants.csv and so on, and .svg likewise.

      What a tracker would have said while the voice sounded, 15 ms behind it:
        choir-eval analyze in.wav --live-like --look-ahead-ms 15 --f0-csv live.csv

      Four known voices in one sound, told apart around the chord of chord.csv, whose rows
      time_s,f0_1_hz,f0_2_hz,… each hold until the next (0: silent):
        choir-eval analyze mix.wav --voices-f0 chord.csv --voices-csv voices.csv
      """)

  @Argument(help: "Recordings: WAV, FLAC, AIFF, Ogg, Opus or MP3; channels are averaged.")
  var files: [String]
  @Option(help: "Time between frames.") var hopMs = 5.0
  @Option(help: "File for the pitch; a folder for that of several.") var f0Csv: String?
  @Option(help: "File, or folder, for the pitch and how sure it is.") var pitchCsv: String?
  @Option(help: "File, or folder, for the formants.") var formantsCsv: String?
  @Option(
    help: """
      How those are found: tracker, frame by frame; or envelope, pooled over half a second, which is
      truer of steady vowels, at high pitch above all, and adds bandwidths.
      """)
  var formantsBy = FormantMethod.tracker
  @Option(help: "File, or folder, for spectral envelopes, pooled over half a second.")
  var envelopeCsv: String?
  @Option(help: "File, or folder, for pitch marks.") var epochsCsv: String?
  @Option(help: "File, or folder, for the notes.") var notesCsv: String?
  @Option(help: "SVG file, or folder, for pitch and formants over the spectrogram, and the level.")
  var plot: String?
  @Flag(help: "Hear as a streaming tracker does, which knows nothing of what follows.")
  var liveLike = false
  @Option(help: "How far such a tracker hears ahead; 20 if not given.") var lookAheadMs: Double?
  @Option(help: "File of what each voice of a mix is expected to sing.") var voicesF0: String?
  @Option(help: "File for the pitches of those voices.") var voicesCsv: String?
  @Flag(help: "Print JSON.") var json = false

  enum FormantMethod: String, ExpressibleByArgument, CaseIterable { case tracker, envelope }

  private var trackerSettings: PitchTracker.Settings {
    var settings = PitchTracker.Settings()
    settings.hopMs = hopMs
    return settings
  }

  private var liveSettings: StreamingPitchTracker.Settings {
    var settings = StreamingPitchTracker.Settings()
    if let lookAheadMs { settings.lookAheadMs = lookAheadMs }
    return settings
  }

  /// Where each kind of file goes, and how its name ends in a folder.
  private var outputs: [(flag: String, path: String?, suffix: String)] {
    [
      ("--f0-csv", f0Csv, "f0.csv"), ("--pitch-csv", pitchCsv, "pitch.csv"),
      ("--formants-csv", formantsCsv, "formants.csv"), ("--notes-csv", notesCsv, "notes.csv"),
      ("--epochs-csv", epochsCsv, "epochs.csv"), ("--envelope-csv", envelopeCsv, "envelope.csv"),
      ("--voices-csv", voicesCsv, "voices.csv"), ("--plot", plot, "svg"),
    ]
  }

  func validate() throws {
    do {
      try trackerSettings.validate()
      try liveSettings.validate()
    } catch { throw ValidationError("\(error).") }
    if lookAheadMs != nil, !liveLike {
      throw ValidationError("--look-ahead-ms is of a streaming tracker; add --live-like.")
    }
    if (voicesF0 == nil) != (voicesCsv == nil) {
      throw ValidationError(
        "--voices-f0 says what voices are expected, --voices-csv where their pitches go; "
          + "give both.")
    }
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
    let track = try track(signal)
    let tookSeconds = ThreadClock.seconds - began
    let profile = try VoiceProfile(of: signal, track: track)
    var summary = RecordingSummary(file: file, of: signal, profile, pitchTookSeconds: tookSeconds)
    if let voicesF0 {
      guard let expected = try? String(contentsOfFile: voicesF0, encoding: .utf8) else {
        throw TableError(
          name: voicesF0, problem: "cannot be read; check the spelling and the folder")
      }
      let voices = try VoicesTable(of: signal, expected: expected, named: voicesF0, hopMs: hopMs)
      summary.voicesMsPerFrameAndVoice = voices.msPerFrameAndVoice
      try write(voices.text, to: voicesCsv, of: file, "voices.csv")
    }
    try write(profile.f0Table, to: f0Csv, of: file, "f0.csv")
    try write(profile.pitchTable, to: pitchCsv, of: file, "pitch.csv")
    try write(profile.noteTable, to: notesCsv, of: file, "notes.csv")
    if epochsCsv != nil {
      let epochs = try epochs(of: signal, track)
      try write(
        epochTable(epochs, sampleRateHz: signal.sampleRateHz), to: epochsCsv, of: file,
        "epochs.csv")
    }
    try writeEnvelope(of: signal, profile, file)
    if let path = try place(plot, of: file, "svg") {
      try VoicePicture(of: signal, profile, title: file).write(to: URL(fileURLWithPath: path))
    }
    return summary
  }

  private func track(_ signal: Signal) throws -> PitchTrack {
    liveLike
      ? try StreamingPitchTracker.track(signal, liveSettings, hopSeconds: hopMs / 1000)
      : try PitchTracker(trackerSettings).track(signal)
  }

  private func epochs(of signal: Signal, _ track: PitchTrack) throws -> [Epoch] {
    guard liveLike else { return try EpochFinder().epochs(in: signal, track: track) }
    var settings = EpochTracker.Settings()
    if let lookAheadMs { settings.pitch.lookAheadMs = lookAheadMs }
    var tracker = try EpochTracker(settings, sampleRateHz: signal.sampleRateHz)
    return tracker.epochs(in: signal)
  }

  private func writeEnvelope(of signal: Signal, _ profile: VoiceProfile, _ file: String) throws {
    let isPooled = formantsBy == .envelope && formantsCsv != nil
    if !isPooled { try write(profile.formantTable, to: formantsCsv, of: file, "formants.csv") }
    guard isPooled || envelopeCsv != nil else { return }
    let analyzer = try EnvelopeAnalyzer()
    let frames = analyzer.frames(of: signal, profile.track)
    if isPooled {
      try write(envelopeFormantTable(frames), to: formantsCsv, of: file, "formants.csv")
    }
    try write(
      envelopeTable(frames, ceilingHz: analyzer.settings.ceilingHz), to: envelopeCsv, of: file,
      "envelope.csv")
  }

  private func write(
    _ text: @autoclosure () -> String, to path: String?, of file: String, _ suffix: String
  ) throws {
    guard let path = try place(path, of: file, suffix) else { return }
    do { try text().write(toFile: path, atomically: true, encoding: .utf8) } catch {
      throw TableError(
        name: path, problem: "cannot be written; is the folder there, and writable?")
    }
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
