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

      Only what is asked for is measured: with files named, what they hold; without, and with
      --json, everything. --only chooses: level, notes, formants, quality, faults, judge; the pitch
      always comes along.
        choir-eval analyze songs/*.wav --only level,notes --json

      Several recordings are measured at once, as many as there are cores, and printed in the order
      given. A long one never lies in memory.
      """)

  @Argument(
    help: "Recordings: \(AudioFormat.allWords); channels are averaged.",
    completion: .sound)
  var files: [String]
  @Option(help: "Time between frames.", in: 1...50) var hopMs = 5.0
  @Option(help: "File for the pitch; a folder for that of several.", completion: .csv) var f0Csv:
    String?
  @Option(help: "File, or folder, for the pitch and how sure it is.", completion: .csv)
  var pitchCsv: String?
  @Option(help: "File, or folder, for the formants.", completion: .csv) var formantsCsv: String?
  @Option(
    help: """
      How those are found: fit, a model of glottis and mouth fitted to the harmonics, for any \
      pitch; tracker, linear prediction frame by frame, as other programs do; or envelope, the \
      model again, pooled over half a second, with bandwidths.
      """)
  var formantsBy = FormantMethod.fit
  @Option(
    help: "File, or folder, for spectral envelopes, pooled over half a second.", completion: .csv)
  var envelopeCsv: String?
  @Option(help: "File, or folder, for pitch marks.", completion: .csv) var epochsCsv: String?
  @Option(help: "File, or folder, for the notes.", completion: .csv) var notesCsv: String?
  @Option(
    help: "SVG file, or folder, for pitch and formants over the spectrogram, and the level.",
    completion: .file(extensions: ["svg"]))
  var plot: String?
  @Flag(help: "Hear as a streaming tracker does, which knows nothing of what follows.")
  var liveLike = false
  @Option(help: "How far such a tracker hears ahead; 20 if not given.", in: 0...60)
  var lookAheadMs: Double?
  @Option(help: "File of what each voice of a mix is expected to sing.", completion: .csv)
  var voicesF0: String?
  @Option(help: "File for the pitches of those voices.", completion: .csv) var voicesCsv: String?
  @Option(help: "Parts to measure beside the pitch, with commas.") var only: AnalysisParts?
  @Option(
    help: "Recordings to measure at once; as many as there are cores unless given.",
    in: Bounds.jobs)
  var jobs: Int?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  /// What is asked of each recording.
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
      try work.validate()
    } catch { throw Misuse.of(error) }
    if lookAheadMs != nil, !liveLike {
      throw ValidationError("--look-ahead-ms is of a streaming tracker; add --live-like.")
    }
    if (voicesF0 == nil) != (voicesCsv == nil) {
      throw ValidationError(
        "--voices-f0 says what voices are expected, --voices-csv where their pitches go; "
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
          + "analyze them one by one.")
    }
  }

  /// Refuses to write over anything before any work is done.
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

  /// The files of one recording, by how they end in a folder.
  private func outputFiles(of file: String) throws -> [String: String] {
    var paths: [String: String] = [:]
    for output in outputs { paths[output.suffix] = try place(output.path, of: file, output.suffix) }
    return paths
  }

  /// The file itself, or one named after the recording in the folder, which is made.
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
