import Analyzer
import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Platform

struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure pitch, notes, formants and level of recordings.",
    discussion: """
      Use it to look at one voice in detail, or to make tables for other programs. Without options \
      it prints a summary.

        choir-eval analyze in.wav
        choir-eval analyze songs/*.wav --only level,notes --json
        choir-eval analyze in.wav --write f0,picture --output tables/

      --write makes files. All but the picture are CSV with one row for each frame, note or mark:
        f0         time_s,f0_hz,voicing; f0 0 where unvoiced
        pitch      the same, plus likely_hz and uncertainty_cents
        formants   time_s,f1_hz,f2_hz,f3_hz,f4_hz; empty if missing
        notes      onset_s,offset_s,f0_hz,midi,deviation_cents,
                   glide_cents,vibrato_hz,vibrato_cents
        chords     start_s,end_s,chord, such as A:min7/b3; N is none
        epochs     time_s,voiced: one mark per period
        envelope   time_s,hz,db, averaged over half a second
        voices     time_s,voice,f0_hz,uncertainty_cents,explained,unheard
        picture    SVG: pitch and formants over the spectrogram, and the level

      A folder gets NAME.f0.csv and so on of each recording, and NAME.svg; one file of one recording \
      may have any name.

      choir-eval score compares the chords of an instrument with reference chords:

        choir-eval analyze piano.wav --write chords --output mine.csv
        choir-eval score wanted.csv mine.csv

      --live-look-ahead-ms tracks the pitch as a live program must, without the future of the voice:

        choir-eval analyze in.wav --live-look-ahead-ms 15 --write f0 --output live.csv

      --voices-f0 separates the pitches of several voices in one mix. Each row of chord.csv, \
      time_s,f0_1_hz,f0_2_hz,…, is the expected chord until the next row; 0 is a silent voice:

        choir-eval analyze mix.wav --voices-f0 chord.csv --write voices --output voices.csv

      The command measures what the requested files need, or everything without files and with \
      --json. --only chooses parts: level, notes, formants, quality, faults, judge. The pitch is \
      always measured.

      Level and faults are those of each channel; the loudness of several is summed as in BS.1770. The \
      voice is judged in the mean of the channels, or in the loudest if they cancel each other. If several \
      voices sound for most of the time, the summary lists their pitches instead of the figures of one voice.

      Recordings are measured in parallel, one on each core, and printed in the order given. A \
      long recording is streamed, so it needs little memory.
      """)

  @Argument(help: "Recordings: \(AudioFormat.allNames).", completion: .sound)
  var files: [String]
  @Option(help: "Time between frames.", in: 1...50) var hopMs = 5.0
  @Option(
    help: "Files to write, comma-separated.",
    completion: .list(AnalysisFile.allCases.map(\.rawValue)))
  var write: AnalysisFiles?
  @Option(help: "Folder for the files, or the name of a single one.", completion: .file())
  var output = "."
  @Option(
    help: """
      Method for formants: fit, a model of glottis and vocal tract fitted to the harmonics, for any \
      pitch; tracker, linear prediction frame by frame, as other programs do it; or envelope, the \
      model fitted to half a second at a time, with bandwidths.
      """)
  var formantsBy = FormantMethod.fit
  @Option(help: "Track the pitch as a live program does, with this look-ahead.", in: 0...60)
  var liveLookAheadMs: Double?
  @Option(help: "File of the pitch that each voice of a mix should sing.", completion: .csv)
  var voicesF0: String?
  @Option(help: "Parts to measure besides the pitch, comma-separated.") var only: AnalysisParts?
  @Option(help: "Recordings to measure in parallel; default: one for each core.", in: Bounds.jobs)
  var jobs: Int?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  private var kinds: [AnalysisFile] { write?.kinds ?? [] }

  /// The work to do on each recording.
  private var work: AnalysisWork {
    var work = AnalysisWork(hopMs: hopMs, formantsBy: formantsBy)
    if let liveLookAheadMs {
      work.live = StreamingPitchTracker.Settings()
      work.live?.lookAheadMs = liveLookAheadMs
    }
    work.voicesF0 = voicesF0
    work.parts = only?.parts ?? (json || kinds.isEmpty ? .all : [])
    return work
  }

  func validate() throws {
    do {
      try work.validate()
    } catch { throw Misuse.of(error) }
    if (voicesF0 == nil) == kinds.contains(.voices) {
      throw ValidationError(
        "--voices-f0 names the expected voices and --write voices asks for their pitches; give both."
      )
    }
    let count = files.count * kinds.count
    if count > 1, !isFolder {
      throw ValidationError(
        "--output \(output) is one file for \(count) files; name a folder: \(output)/")
    }
    let names = Dictionary(grouping: files, by: Self.name)
    if !kinds.isEmpty, let twice = names.first(where: { $1.count > 1 }) {
      throw ValidationError(
        "\(twice.value.joined(separator: " and ")) would both be written as \(twice.key); "
          + "analyze them one at a time.")
    }
  }

  func run() throws {
    let places = try claimedFiles()
    let (work, files) = (work, files)
    let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    var bar = ProgressBar(total: files.count)
    var summaries: [JSONObject] = []
    var failed = false
    for start in stride(from: 0, to: files.count, by: jobs) {
      bar.begin(files[start])
      let answers = Array(start..<min(start + jobs, files.count)).concurrentMap { index in
        Result { try work.done(on: files[index], writing: places[index]) }
      }
      bar.clear()
      for answer in answers {
        switch answer {
        case .success(let summary):
          if json { summaries.append(summary.json) } else { print(summary.text) }
        case .failure(let error):
          Terminal.printError("\(error)")
          failed = true
        }
      }
      if files.count > 1 { bar.advance(to: files[start], count: answers.count) }
    }
    bar.clear()
    if json { print(try JSON.text(summaries)) }
    if failed { throw ExitCode(2) }
  }

  /// Claims the files of each recording before any work is done, and makes their folder.
  private func claimedFiles() throws -> [[AnalysisFile: String]] {
    var claims = OutputFiles(reading: files + [voicesF0], force: overwriting.force)
    let folder = URL(fileURLWithPath: output)
    let places = try files.map { file in
      try kinds.reduce(into: [AnalysisFile: String]()) { paths, kind in
        let name = "\(Self.name(of: file)).\(kind.suffix)"
        paths[kind] = isFolder ? folder.appendingPathComponent(name).path : output
        try claims.claim(paths[kind])
      }
    }
    if isFolder, !kinds.isEmpty {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    return places
  }

  private var isFolder: Bool { output.hasSuffix("/") || FileKind(of: output) == .folder }

  private static func name(of file: String) -> String {
    URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
  }
}
