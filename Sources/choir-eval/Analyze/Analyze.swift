import Analyzer
import ArgumentParser
import AudioFile
import CommandSupport
import Foundation

struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure pitch, notes, formants and level of recordings.",
    discussion: """
      Use it to look at one voice in detail, or to make tables for other programs. Without options \
      it prints a summary.

        choir-eval analyze in.wav
        choir-eval analyze songs/*.wav --only level,notes --json
        choir-eval analyze in.wav --f0-csv in.f0.csv --plot in.svg

      A CSV file has one row for each frame, note or mark:
        --f0-csv        time_s,f0_hz,voicing; f0 0 where unvoiced
        --pitch-csv     the same, plus likely_hz and uncertainty_cents
        --formants-csv  time_s,f1_hz,f2_hz,f3_hz,f4_hz; empty if missing
        --notes-csv     onset_s,offset_s,f0_hz,midi,deviation_cents,
                        glide_cents,vibrato_hz,vibrato_cents
        --epochs-csv    time_s,voiced: one mark per period
        --envelope-csv  time_s,hz,db
        --voices-csv    time_s,voice,f0_hz,uncertainty_cents,explained,unheard

      For several recordings, name a folder: --f0-csv tables/ writes tables/NAME.f0.csv for each \
      one. The other suffixes are .pitch.csv, .formants.csv and so on, and .svg.

      --live-like tracks the pitch as a live program must, here with 15 ms of look-ahead:

        choir-eval analyze in.wav --live-like --look-ahead-ms 15 \\
          --f0-csv live.csv

      --voices-f0 separates the pitches of several voices in one mix. Each row of chord.csv, \
      time_s,f0_1_hz,f0_2_hz,…, is the expected chord until the next row; 0 is a silent voice:

        choir-eval analyze mix.wav --voices-f0 chord.csv \\
          --voices-csv voices.csv

      The command measures what the requested files need, or everything without files and with \
      --json. --only chooses parts: level, notes, formants, quality, faults, judge. The pitch is \
      always measured.

      Level and faults are those of each channel; the loudness of several is summed as in BS.1770. The \
      voice is judged in the mean of the channels, or in the loudest if they cancel each other. Where more \
      than one voice sounds for most of the time, the summary has their pitches in place of the figures of one.

      Recordings are measured in parallel, one on each core, and printed in the order given. A \
      long recording is streamed, so it needs little memory.
      """)

  @Argument(
    help: "Recordings: \(AudioFormat.allNames).",
    completion: .sound)
  var files: [String]
  @Option(help: "Time between frames.", in: 1...50) var hopMs = 5.0
  @Option(help: "File, or folder, for the pitch.", completion: .csv) var f0Csv: String?
  @Option(help: "File, or folder, for the pitch and its uncertainty.", completion: .csv)
  var pitchCsv: String?
  @Option(help: "File, or folder, for the formants.", completion: .csv) var formantsCsv: String?
  @Option(
    help: """
      Method for --formants-csv: fit, a model of glottis and vocal tract fitted to the \
      harmonics, for any pitch; tracker, linear prediction frame by frame, as other programs do \
      it; or envelope, the model fitted to half a second at a time, with bandwidths.
      """)
  var formantsBy = FormantMethod.fit
  @Option(
    help: "File, or folder, for spectral envelopes, averaged over half a second.", completion: .csv)
  var envelopeCsv: String?
  @Option(help: "File, or folder, for pitch marks.", completion: .csv) var epochsCsv: String?
  @Option(help: "File, or folder, for the notes.", completion: .csv) var notesCsv: String?
  @Option(
    help: "SVG file, or folder, for pitch and formants over the spectrogram, and the level.",
    completion: .file(extensions: ["svg"]))
  var plot: String?
  @Flag(help: "Track the pitch as a live program does, without the future of the voice.")
  var liveLike = false
  @Option(help: "Look-ahead of --live-like; default: 20.", in: 0...60)
  var lookAheadMs: Double?
  @Option(help: "File of the pitch that each voice of a mix should sing.", completion: .csv)
  var voicesF0: String?
  @Option(help: "File, or folder, for the pitches of those voices.", completion: .csv)
  var voicesCsv: String?
  @Option(help: "Parts to measure besides the pitch, comma-separated.") var only: AnalysisParts?
  @Option(
    help: "Recordings to measure in parallel; default: one for each core.",
    in: Bounds.jobs)
  var jobs: Int?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  /// The work to do on each recording.
  private var work: AnalysisWork {
    var work = AnalysisWork(hopMs: hopMs, formantsBy: formantsBy)
    if liveLike {
      work.live = StreamingPitchTracker.Settings()
      if let lookAheadMs { work.live?.lookAheadMs = lookAheadMs }
    }
    work.voicesF0 = voicesF0
    let isAsked = outputs.contains { $0.path != nil }
    work.parts = only?.parts ?? (json || !isAsked ? .all : [])
    return work
  }

  /// Path of each kind of file, and the suffix of its name in a folder.
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
      try work.validate()
    } catch { throw Misuse.of(error) }
    if lookAheadMs != nil, !liveLike {
      throw ValidationError("--look-ahead-ms is for the streaming tracker; add --live-like.")
    }
    if (voicesF0 == nil) != (voicesCsv == nil) {
      throw ValidationError(
        "--voices-f0 names the expected voices and --voices-csv the file for their pitches; "
          + "give both.")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); choose 1 to 1024.")
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
          + "analyze them one at a time.")
    }
  }

  /// Claims all output files before any work is done.
  private func claimFiles() throws {
    var claims = OutputFiles(reading: files + [voicesF0], force: overwriting.force)
    for file in files {
      for (_, path, suffix) in outputs {
        try claims.claim(path.map { Self.isFolder($0) ? Self.file(in: $0, of: file, suffix) : $0 })
      }
    }
  }

  func run() throws {
    try claimFiles()
    let progress = AnalysisProgress(files: files, isShown: !quietness.quiet)
    let answers = OrderedAnswers<Result<RecordingSummary, any Error>>(
      count: files.count, jobs: jobs)
    let (work, files) = (work, files)
    let places = try files.map { try outputFiles(of: $0) }
    var summaries: [RecordingSummary] = []
    var failed = false
    answers.forEach { index in
      defer { progress.end(index) }
      return Result {
        try work.done(on: files[index], writing: places[index]) { progress.show(index, $0) }
      }
    } take: { answer in
      progress.clear()
      switch answer {
      case .success(let summary):
        if json { summaries.append(summary) } else { print(summary.text) }
      case .failure(let error):
        Terminal.printError("\(error)")
        failed = true
      }
    }
    if json { print(try JSON.text(summaries)) }
    if failed { throw ExitCode(2) }
  }

  /// The files of one recording, by the suffix that they have in a folder.
  private func outputFiles(of file: String) throws -> [String: String] {
    var paths: [String: String] = [:]
    for output in outputs { paths[output.suffix] = try place(output.path, of: file, output.suffix) }
    return paths
  }

  /// Returns the file itself, or one named after the recording in a folder, which is created.
  private func place(_ path: String?, of file: String, _ suffix: String) throws -> String? {
    guard let path, Self.isFolder(path) else { return path }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return Self.file(in: path, of: file, suffix)
  }

  private static func file(in folder: String, of file: String, _ suffix: String) -> String {
    URL(fileURLWithPath: folder).appendingPathComponent("\(name(of: file)).\(suffix)").path
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
